import { someDefinition } from "@butler/addons/testing";
import {
  AddonDefinition,
  LocalCluster,
  LocalMachineTemplate,
  StewardControlPlane,
  Team,
  TenantAddon,
  TenantCluster,
} from "@butler/api";
import { findCondition, isConditionTrue, type ObjectKey } from "@butler/resource";
import { eventually, installLooseCrds } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AdmissionHarness } from "../../admission/testing/admission-harness.ts";
import { runController } from "../../shared/testing/run-controller.ts";
import { localClusters, looseKinds } from "../testing/cluster-kinds.ts";
import { PlayedClusterApi } from "../testing/played-cluster-api.ts";

const namespace = "shops";
const key: ObjectKey = { name: "shop", namespace };

let harness: AdmissionHarness;
let running: Awaited<ReturnType<typeof startController>>;
let played: Promise<void> | undefined;
const playing = new AbortController();

beforeAll(async () => {
  harness = await AdmissionHarness.start({
    further: [StewardControlPlane, LocalCluster, LocalMachineTemplate],
  });
  await installLooseCrds(harness.client, looseKinds);
  // Baseline add-ons and the presets of the team must pass the same admission rules as users' objects.
  await harness.team(namespace, {
    resourceLimits: { allowedAddons: ["cilium", "longhorn", "velero"] },
    clusterDefaults: { defaultAddons: ["velero"] },
  });
  played = new PlayedClusterApi(harness.cluster.client).play(playing.signal);
  running = await startController();
}, 120_000);

afterAll(async () => {
  playing.abort();
  await played;
  await running?.stop();
  await harness?.stop();
});

const startController = () => runController(harness.client, localClusters.controller, { ports: localClusters.ports });

const read = (name: string): Promise<TenantAddon | undefined> => harness.client.find(TenantAddon, { name, namespace });
const clusterNow = (): Promise<TenantCluster> => harness.client.get(TenantCluster, key);
const change = (spec: object): Promise<TenantCluster> =>
  harness.client.patch(TenantCluster, key, { type: "merge", patch: { spec } });
const changeAddon = (name: string, spec: object): Promise<TenantAddon> =>
  harness.client.patch(TenantAddon, { name, namespace }, { type: "merge", patch: { spec } });
const define = (name: string, spec: object = {}): Promise<unknown> =>
  harness.create(AddonDefinition, { ...someDefinition(name, spec) });

/** Simulates the add-on installer. */
async function report(name: string, phase: string, installedVersion?: string): Promise<void> {
  const { metadata } = await harness.client.get(TenantAddon, { name, namespace });
  const said = { reason: phase, message: `${phase} it is`, lastTransitionTime: "2026-03-01T12:00:00Z" };
  const status = {
    phase,
    observedGeneration: metadata.generation,
    message: `${phase} it is`,
    conditions: [{ type: "Ready", status: phase === "Installed" ? "True" : "False", ...said }],
    ...(installedVersion === undefined ? {} : { installedVersion }),
  };
  const patch = { status };
  await harness.client.patch(TenantAddon, { name, namespace }, { type: "merge", subresource: "status", patch });
}

async function untilTold(type: string, words: string): Promise<void> {
  let last = "";
  const isTold = async (): Promise<boolean> => {
    const said = findCondition((await clusterNow()).status?.conditions, type);
    last = `${said?.status} ${said?.reason}: ${said?.message}`;
    return last.includes(words);
  };
  await eventually(isTold, { timeoutMs: 30_000, what: () => `${type} ${words}; last ${last}` });
}

describe("the add-ons of a cluster", { timeout: 120_000 }, () => {
  it("are created once its API server is available, in the versions of its spec, and an existing one is adopted", async () => {
    await define("cilium");
    await define("velero");
    const values = { replicas: 3 };
    await harness.create(TenantAddon, {
      metadata: { name: "shop-velero", namespace },
      spec: { clusterRef: { name: "shop" }, addon: "velero", version: "0.9.0", values },
    });
    const addons = { cni: { version: "1.18.2" }, storage: { provider: "longhorn", version: "1.7.2" } };
    const made = await harness.create(TenantCluster, { metadata: key, spec: { workers: { replicas: 1 }, addons } });
    const network = await eventually(() => read("shop-cilium"));
    expect(network.spec).toMatchObject({ addon: "cilium", version: "1.18.2", driftPolicy: "Report" });
    expect(network.metadata.ownerReferences).toMatchObject([{ kind: "TenantCluster", uid: made.metadata.uid }]);
    const taken = await eventually(async () => {
      const found = await read("shop-velero");
      return found?.metadata.ownerReferences === undefined ? undefined : found;
    });
    expect(taken.spec).toMatchObject({ version: "0.9.0", values, dependsOn: [{ name: "shop-cilium" }] });
  });

  it("block readiness during their first installation, and report what is missing", async () => {
    await untilTold("WorkersReady", "True");
    await untilTold("Ready", "cilium is Pending");
    await report("shop-cilium", "Installed", "1.18.2");
    await untilTold("Ready", "velero is Pending");
    await report("shop-velero", "Installing");
    await untilTold("Ready", "False AddonsInstalling: velero is Installing: Installing it is");
    // An add-on missing in the catalog is reported and does not block the cluster.
    await untilTold("AddonsReady", "also not ready: velero");
    await untilTold("AddonsReady", "longhorn is not in the catalog");
  });

  it("do not block readiness when one has failed, which is still reported", async () => {
    await report("shop-velero", "Failed");
    await untilTold("Ready", "True");
    await untilTold("AddonsReady", "False");
    expect((await clusterNow()).status).toMatchObject({
      phase: "Ready",
      observedState: {
        addons: [
          { name: "cilium", version: "1.18.2", status: "Healthy" },
          { name: "longhorn", version: "", status: "Pending" },
          { name: "velero", version: "0.9.0", status: "Failed" },
        ],
      },
    });
    await eventually(() => running.written.includes("event AddonInstallFailed"));
  });

  it("are created when the catalog gets them", async () => {
    await define("longhorn", { kubernetesVersions: ">=1.29 <1.36" });
    const storage = await eventually(() => read("shop-longhorn"));
    expect(storage.spec).toMatchObject({ version: "1.7.2", dependsOn: [{ name: "shop-cilium" }] });
    await report("shop-longhorn", "Installed", "1.7.2");
    await report("shop-velero", "Installed", "0.9.0");
    await untilTold("AddonsReady", "True");
  });

  it("follow the cluster's spec, and leave other fields to users", async () => {
    await changeAddon("shop-cilium", { values: { hubble: true }, driftPolicy: "Repair" });
    await expect(changeAddon("shop-cilium", { version: "1.17.0" })).rejects.toThrow(
      "spec.version: is set to 1.18.2 by spec.addons.cni.version of TenantCluster shop; change it there",
    );
    await change({ addons: { cni: { version: "1.19.0" } } });
    const changed = await eventually(async () => {
      const found = await read("shop-cilium");
      return found?.spec.version === "1.19.0" ? found : undefined;
    });
    expect(changed.spec).toMatchObject({ values: { hubble: true }, driftPolicy: "Repair" });
    // An upgrade of an add-on does not affect the cluster's readiness.
    await untilTold("AddonsReady", "cilium has a change that is not reconciled yet");
    expect(isConditionTrue((await clusterNow()).status?.conditions, "Ready")).toBe(true);
    await report("shop-cilium", "Installed", "1.19.0");
    await untilTold("AddonsReady", "True");
  });

  it("stay when removed from the spec or denied to the team, and when the cluster has problems", async () => {
    const uid = (await read("shop-longhorn"))?.metadata.uid;
    const limits = { resourceLimits: { allowedAddons: ["cilium"], deniedAddons: ["longhorn", "velero"] } };
    await harness.client.patch(Team, { name: namespace }, { type: "merge", patch: { spec: limits } });
    await change({ addons: { storage: null } });
    await report("shop-cilium", "Failed", "1.19.0");
    await untilTold("AddonsReady", "False CNIInstallFailed");
    await eventually(async () => (await running.runtime.preview(key))?.isSettled === true);
    expect((await read("shop-longhorn"))?.metadata).toMatchObject({ uid });
    expect((await read("shop-longhorn"))?.metadata.deletionTimestamp).toBeUndefined();
    expect(running.written.filter((line) => line.startsWith("remove tenantaddons"))).toEqual([]);
  });

  it("block an upgrade of Kubernetes beyond their supported versions", async () => {
    await harness.team("elders");
    const older = { name: "older", namespace: "elders" };
    const spec = { kubernetesVersion: "v1.35.4", workers: { replicas: 1 } };
    await harness.create(TenantCluster, { metadata: older, spec });
    const target = { name: "older-own", namespace: "elders" };
    const addon = {
      clusterRef: { name: "older" },
      helm: { repository: "https://charts.example.com", chart: "cilium" },
    };
    await harness.create(TenantAddon, { metadata: target, spec: addon });
    const helmRelease = { kubernetesVersions: "<1.36.0-0" };
    const patch = { status: { installedVersion: "3.0.0", helmRelease } };
    await harness.client.patch(TenantAddon, target, { type: "merge", subresource: "status", patch });
    const upgrade = (): Promise<unknown> =>
      harness.client.patch(TenantCluster, older, { type: "merge", patch: { spec: { kubernetesVersion: "v1.36.3" } } });
    await expect(upgrade()).rejects.toThrow(
      "spec.kubernetesVersion: add-on cilium 3.0.0 supports Kubernetes <1.36.0-0, not v1.36.3; upgrade or remove TenantAddon older-own first",
    );
    await harness.client.delete(TenantAddon, target);
    await upgrade();
  });

  it("keep their entry in the catalog, which rejects invalid entries", async () => {
    await expect(harness.client.delete(AddonDefinition, { name: "velero" })).rejects.toThrow(
      `is used by TenantAddon ${namespace}/shop-velero`,
    );
    await expect(define("loop", { dependsOn: ["loop"] })).rejects.toThrow("must not list the add-on itself");
    await define("unused");
    await harness.client.delete(AddonDefinition, { name: "unused" });
  });
});
