import { someDefinition } from "@butler/addons/testing";
import {
  AddonDefinition,
  LocalMachineTemplate,
  ProviderConfig,
  StewardControlPlane,
  TenantAddon,
  TenantCluster,
} from "@butler/api";
import { Cluster, Machine, MachineDeployment } from "@butler/api-external";
import { ControllerRuntime, type Interceptor } from "@butler/controller";
import { CacheSet } from "@butler/kube";
import { builtinKinds, isConditionTrue, type Kind, type ObjectKey } from "@butler/resource";
import {
  crashAfterEverySideEffect,
  eventually,
  installLooseCrds,
  quickQueue,
  runControllers,
  startAfterChange,
  aTestCluster,
  type TestCluster,
} from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tenantNamespaceOf } from "./names.ts";
import { clusterKinds, localClusters, looseKinds } from "./testing/cluster-kinds.ts";
import { PlayedClusterApi } from "./testing/played-cluster-api.ts";

const minutes = 60_000;

let cluster: TestCluster;
let scenarios = 0;
let played: Promise<void>;
const playing = new AbortController();

beforeAll(async () => {
  cluster = await aTestCluster({ resources: clusterKinds, withControllerManager: true });
  await installLooseCrds(cluster.client, looseKinds);
  await cluster.createNamespace("butler-system");
  await cluster.client.create(ProviderConfig, {
    apiVersion: ProviderConfig.apiVersion,
    kind: ProviderConfig.kind,
    metadata: { name: "local", namespace: "butler-system" },
    spec: { provider: "local" },
  } as ProviderConfig);
  for (const name of ["cert-manager", "metallb"]) await cluster.client.create(AddonDefinition, someDefinition(name));
  played = new PlayedClusterApi(cluster.client, { installsAddons: true }).play(playing.signal);
}, 2 * minutes);

afterAll(async () => {
  playing.abort();
  await played;
  await cluster?.stop();
});

const specsOf = async (kind: Kind, namespace: string): Promise<unknown[]> =>
  (await cluster.client.list(kind, { namespace })).items.map((object) => (object as { spec?: unknown }).spec);

/** The objects of a cluster, without fields that differ between runs. */
async function lookAround(key: ObjectKey, own: string): Promise<unknown> {
  const live = await cluster.client.find(TenantCluster, key);
  const namespace = await cluster.client.find(builtinKinds.Namespace, { name: own });
  const { status } = live ?? {};
  return {
    finalizers: live?.metadata.finalizers,
    phase: status?.phase,
    pools: status?.pools,
    conditions: status?.conditions?.map(({ type, status: holds, reason }) => [type, holds, reason]),
    hasNamespace: namespace !== undefined,
    controlPlanes: await specsOf(StewardControlPlane, own),
    addons: await specsOf(TenantAddon, key.namespace ?? ""),
    templates: await specsOf(LocalMachineTemplate, own),
    replicas: (await specsOf(MachineDeployment, own)).map((spec) => (spec as MachineDeployment["spec"]).replicas),
    versions: (await specsOf(Machine, own)).map((spec) => (spec as { version?: string }).version),
  };
}

/** Separate environments for the crash harness. */
function crashScenariosOf(change?: (key: ObjectKey) => Promise<unknown>, addons: object = {}) {
  return async () => {
    const key = { name: "shop", namespace: `scenario-${++scenarios}` };
    await cluster.createNamespace(key.namespace);
    const made = await cluster.client.create(TenantCluster, {
      apiVersion: TenantCluster.apiVersion,
      kind: TenantCluster.kind,
      metadata: key,
      spec: { kubernetesVersion: "v1.35.4", providerConfigRef: { name: "local" }, workers: { replicas: 2 }, addons },
    } as TenantCluster);
    const own = tenantNamespaceOf(made);
    const start = async (intercept?: Interceptor) => {
      const caches = new CacheSet(cluster.client);
      const runtime = new ControllerRuntime(localClusters.controller, {
        client: cluster.client,
        caches,
        ports: localClusters.ports,
        queue: quickQueue,
        ...(intercept === undefined ? {} : { intercept }),
      });
      const { kill } = await runControllers(caches, [runtime]);
      const isSettled = async (): Promise<boolean> => {
        const live = await cluster.client.find(TenantCluster, key);
        if (live === undefined) return runtime.isIdle;
        const { status, metadata } = live;
        // A cluster is ready while its add-ons still change; their final state is part of the result too.
        const hasArrived =
          status?.observedGeneration === metadata.generation &&
          ["Ready", "AddonsReady"].every((type) => isConditionTrue(status?.conditions, type));
        return runtime.isIdle && hasArrived && (await runtime.preview(key))?.isSettled === true;
      };
      return { isSettled, stop: kill };
    };
    return {
      start: startAfterChange(start, change && (() => change(key))),
      snapshot: () => lookAround(key, own),
      tearDown: () => removeAll(key, own),
    };
  };
}

async function removeAll(key: ObjectKey, own: string): Promise<void> {
  const { client } = cluster;
  if ((await client.find(TenantCluster, key)) !== undefined) {
    await client.patch(TenantCluster, key, { type: "merge", patch: { metadata: { finalizers: null } } });
    await client.delete(TenantCluster, key).catch(() => undefined);
  }
  await client.delete(Cluster, { name: key.name, namespace: own }).catch(() => undefined);
  await eventually(async () => (await client.find(Cluster, { name: key.name, namespace: own })) === undefined);
}

type Report = Awaited<ReturnType<typeof crashAfterEverySideEffect>>;

const outline = ({ sideEffects }: Report): string[] => [
  ...new Set(sideEffects.map(({ verb, target }) => `${verb} ${target.replace(/[. ].*/, "")}`)),
];
const merge = (spec: object) => (key: ObjectKey) =>
  cluster.client.patch(TenantCluster, key, { type: "merge", patch: { spec } });

describe("the controller of tenant clusters stopped after each of its side effects", { timeout: 5 * minutes }, () => {
  it("still creates a cluster", async () => {
    const report = await crashAfterEverySideEffect(crashScenariosOf());
    expect(outline(report)).toEqual(
      expect.arrayContaining([
        "finalizer tenantclusters",
        "apply namespaces",
        "apply localclusters",
        "apply stewardcontrolplanes",
        "apply clusters",
        "apply localmachinetemplates",
        "apply kubeadmconfigtemplates",
        "apply machinedeployments",
        "status tenantclusters",
      ]),
    );
    expect(report.endState).toMatchObject({ phase: "Ready", replicas: [2], versions: ["v1.35.4", "v1.35.4"] });
  });

  it("still scales and resizes it", async () => {
    const workers = { replicas: 3, machineTemplate: { memory: "32Gi" } };
    const report = await crashAfterEverySideEffect(crashScenariosOf(merge({ workers })));
    expect(report.endState).toMatchObject({
      phase: "Ready",
      replicas: [3],
      templates: [{ template: { spec: { memory: "32Gi" } } }],
    });
  });

  it("still creates its add-ons and changes the version of one", async () => {
    const addons = { certManager: { version: "1.0.0" }, loadBalancer: { version: "2.0.0" } };
    const change = merge({ addons: { loadBalancer: { version: "2.1.0" } } });
    const report = await crashAfterEverySideEffect(crashScenariosOf(change, addons));
    expect(outline(report)).toContain("apply tenantaddons");
    expect(report.endState).toMatchObject({
      phase: "Ready",
      addons: [
        { addon: "cert-manager", version: "1.0.0" },
        { addon: "metallb", version: "2.1.0" },
      ],
    });
  });

  it("still upgrades it", async () => {
    const report = await crashAfterEverySideEffect(crashScenariosOf(merge({ kubernetesVersion: "v1.36.3" })));
    expect(report.endState).toMatchObject({
      controlPlanes: [{ version: "v1.36.3" }],
      versions: ["v1.36.3", "v1.36.3"],
    });
  });

  it("still deletes it", async () => {
    const report = await crashAfterEverySideEffect(
      crashScenariosOf((key) => cluster.client.delete(TenantCluster, key)),
    );
    expect(outline(report)).toEqual(
      expect.arrayContaining(["remove clusters", "remove namespaces", "finalizer tenantclusters"]),
    );
    expect(report.endState).toMatchObject({ phase: undefined, hasNamespace: false, controlPlanes: [], templates: [] });
  });
});
