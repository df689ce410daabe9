import { DataStore, TenantCluster, TenantControlPlane } from "@butler/api";
import { controlPlaneView, dataStoreView } from "@butler/contract";
import { parseObject } from "@butler/resource";
import { describe, expect, it } from "vitest";
import { newObject } from "../handlers/writing.ts";
import { showControlPlane, showDataStore } from "./hosting-view.ts";

describe("showDataStore", () => {
  it("contains no credentials of the store", () => {
    const content = { content: Buffer.from("not-to-be-seen").toString("base64") };
    const spec = {
      driver: "PostgreSQL",
      endpoints: ["postgres:5432"],
      basicAuth: { username: content, password: content },
      tlsConfig: { certificateAuthority: { certificate: content, privateKey: content } },
    };
    const shown = showDataStore(parseObject(DataStore, newObject(DataStore, { name: "default" }, { spec })));
    expect(JSON.stringify(shown)).not.toContain(content.content);
    expect(dataStoreView.parse(shown)).toMatchObject({
      driver: "PostgreSQL",
      endpoints: ["postgres:5432"],
      ready: false,
    });
  });
});

describe("showControlPlane", () => {
  const { spec } = TenantControlPlane.example as { readonly spec: object };
  const controlPlane = (status: object = {}) =>
    parseObject(
      TenantControlPlane,
      newObject(TenantControlPlane, { name: "shop", namespace: "tenant-shop" }, { spec, status }),
    );

  it("handles a control plane without a status", () => {
    expect(controlPlaneView.parse(showControlPlane(controlPlane(), undefined))).toMatchObject({
      phase: "Provisioning",
      runningVersion: "",
      endpoint: "",
      replicas: 2,
      readyReplicas: 0,
      dataStore: "default",
    });
  });

  it("contains its cluster and team", () => {
    const metadata = { name: "shop", namespace: "payments" };
    const cluster = newObject(TenantCluster, metadata, { spec: { teamRef: { name: "payments" } } });
    const status = {
      controlPlaneEndpoint: "10.40.0.10:6443",
      kubernetesResources: { version: { version: "v1.36.3", status: "Ready" }, deployment: { readyReplicas: 2 } },
    };
    expect(showControlPlane(controlPlane(status), parseObject(TenantCluster, cluster))).toMatchObject({
      cluster: "payments/shop",
      team: "payments",
      phase: "Ready",
      runningVersion: "v1.36.3",
      readyReplicas: 2,
    });
  });
});
