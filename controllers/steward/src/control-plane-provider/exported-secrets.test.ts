import { controllerReference, type DynamicObject } from "@butler/resource";
import { describe, expect, it } from "vitest";
import { exportSecrets, type SecretSight } from "./exported-secrets.ts";
import {
  aClusterSecret,
  aControlPlane,
  aSecretOf,
  aTenant,
  anAdminSecret,
  anAuthoritySecret,
  base64,
} from "./testing/objects.ts";

const tenant = aTenant();
const complete: SecretSight = {
  admin: anAdminSecret(tenant),
  authority: anAuthoritySecret(tenant),
  clusterKubeconfig: aClusterSecret("kubeconfig"),
  clusterAuthority: undefined,
};

function exportOf(change: Partial<SecretSight> = {}, { clusterName = "blue", annotations = {} } = {}) {
  const controlPlane = aControlPlane();
  const secrets = { ...complete, ...change };
  return exportSecrets({ controlPlane, tenant: aTenant(controlPlane, { annotations }), clusterName, secrets });
}

const valueOf = (secret: unknown, key: string) =>
  (secret as DynamicObject & { data: Record<string, string> }).data[key];

describe("the Secrets for Cluster API", () => {
  it("are only the kubeconfig when the CA Secret already has the right name", () => {
    const { apply, blocker } = exportOf();
    expect(apply.map(({ metadata }) => metadata.name)).toEqual(["blue-kubeconfig"]);
    expect(blocker).toBeUndefined();
  });

  it("are two when the Cluster has another name, and neither contains the CA key", () => {
    const clusterAuthority = aClusterSecret("ca", "green");
    const { apply, blocker } = exportOf({ clusterAuthority }, { clusterName: "green" });
    expect(apply.map(({ metadata }) => metadata.name)).toEqual(["green-kubeconfig", "green-ca"]);
    expect(blocker).toBeUndefined();
    expect(valueOf(apply[1], "tls.crt")).toBe(base64("certificate 1"));
    expect(JSON.stringify(apply)).not.toContain(base64("secret key"));
  });

  it("follow their sources", () => {
    const { apply } = exportOf(
      { admin: anAdminSecret(tenant, "kubeconfig 2"), authority: anAuthoritySecret(tenant, "certificate 2") },
      { clusterName: "green" },
    );
    expect(valueOf(apply[0], "value")).toBe(base64("kubeconfig 2"));
    expect(valueOf(apply[1], "tls.crt")).toBe(base64("certificate 2"));
  });

  it("hold the kubeconfig that the annotation selects", () => {
    const annotations = { "steward.butlerlabs.dev/kubeconfig-secret-key": "super-admin.conf" };
    expect(valueOf(exportOf({}, { annotations }).apply[0], "value")).toBe(base64("all powers"));
  });

  it.each<[string, Partial<SecretSight>, string]>([
    ["the kubeconfig", { clusterKubeconfig: undefined }, "waiting for the tenant's kubeconfig"],
    [
      "both sources",
      { admin: undefined, authority: undefined, clusterKubeconfig: undefined },
      "waiting for the tenant's kubeconfig",
    ],
    ["the authority", { authority: undefined }, "waiting for the tenant's certificate authority"],
    [
      "the authority's label",
      { authority: anAuthoritySecret(aTenant(undefined, { labels: {} })) },
      "Secret blue-ca must have the label cluster.x-k8s.io/cluster-name=blue",
    ],
    ["the authority's key", { authority: aClusterSecret("ca") }, "and the keys tls.crt and tls.key"],
  ])("are pending without %s", (_what, change, message) => {
    const { blocker, isBlocked } = exportOf(change);
    expect(blocker?.reason).toMatch(/^WaitingFor/);
    expect(blocker?.message).toContain(message);
    expect(isBlocked).toBe(false);
  });

  it("stay unchanged while their sources are missing", () => {
    const clusterAuthority = aClusterSecret("ca", "green");
    const { apply, blocker } = exportOf(
      { admin: undefined, authority: undefined, clusterAuthority },
      { clusterName: "green" },
    );
    expect({ apply, blocker }).toEqual({ apply: [], blocker: undefined });
  });

  it("are left alone when a user created them", () => {
    const clusterKubeconfig = aSecretOf("blue-kubeconfig", { data: { value: "by hand" } });
    expect(exportOf({ clusterKubeconfig })).toEqual({ apply: [], blocker: undefined, isBlocked: false });
  });

  it.each<[string, DynamicObject, string]>([
    [
      "another tenant's",
      aSecretOf("blue-kubeconfig", {
        data: { value: "theirs" },
        ownerReferences: [controllerReference(aTenant(undefined, { uid: "other", name: "bl" }))],
      }),
      "belongs to TenantControlPlane bl",
    ],
    [
      "of an earlier object of the same name",
      aSecretOf("blue-kubeconfig", {
        data: { value: "old" },
        ownerReferences: [controllerReference(aControlPlane({ uid: "earlier" }))],
      }),
      "belongs to StewardControlPlane blue",
    ],
    ["without a usable kubeconfig", aSecretOf("blue-kubeconfig", { data: { other: "x" } }), "lacks the key value"],
  ])("do not overwrite one that is %s", (_what, clusterKubeconfig, message) => {
    const { apply, blocker, isBlocked } = exportOf({ clusterKubeconfig });
    expect(apply).toEqual([]);
    expect(blocker).toMatchObject({ reason: "SecretNameTaken" });
    expect(blocker?.message).toContain(message);
    expect(isBlocked).toBe(true);
  });

  it("leave the CA of another owner alone", () => {
    const clusterAuthority = anAuthoritySecret(aTenant(aControlPlane({ name: "green" }), { uid: "other" }));
    const { apply, blocker } = exportOf({ clusterAuthority }, { clusterName: "green" });
    expect(apply.map(({ metadata }) => metadata.name)).toEqual(["green-kubeconfig"]);
    expect(blocker).toMatchObject({ reason: "SecretNameTaken" });
  });
});
