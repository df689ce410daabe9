import { StewardControlPlane, TenantControlPlane } from "@butler/api";
import type { Interceptor } from "@butler/controller";
import { builtinKinds, isConditionTrue } from "@butler/resource";
import { ignoreNotFound } from "@butler/std";
import { crashAfterEverySideEffect, startAfterChange, aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PlayedSteward } from "./testing/played-steward.ts";
import { runProvider } from "./testing/run-provider.ts";
import { installStandInCrds, ProxmoxCluster } from "./testing/stand-in-crds.ts";
import { Tenant } from "./testing/tenant.ts";

let cluster: TestCluster;
let namespaces = 0;

beforeAll(async () => {
  cluster = await aTestCluster({ resources: [StewardControlPlane, TenantControlPlane] });
  await installStandInCrds(cluster.client);
});
afterAll(() => cluster?.stop());

/** The remaining objects in a namespace, without values that differ between runs. */
async function lookAround(namespace: string): Promise<unknown> {
  const { client } = cluster;
  const [controlPlanes, tenants, secrets, infrastructure] = await Promise.all([
    client.list(StewardControlPlane, { namespace }),
    client.list(TenantControlPlane, { namespace }),
    client.list(builtinKinds.Secret, { namespace }),
    client.list(ProxmoxCluster, { namespace }),
  ]);
  return {
    controlPlanes: controlPlanes.items.map(({ spec, status, metadata: { name, finalizers } }) => ({
      name,
      finalizers,
      spec,
      status: {
        ...status,
        observedGeneration: undefined,
        conditions: status?.conditions?.map(({ lastTransitionTime: _time, observedGeneration: _at, ...rest }) => rest),
      },
    })),
    tenants: tenants.items.map(({ spec, metadata: { name, ownerReferences } }) => ({
      name,
      owner: ownerReferences?.[0]?.kind,
      spec,
    })),
    secrets: secrets.items.map(({ metadata: { name, ownerReferences }, ...rest }) => ({
      name,
      owner: ownerReferences?.[0]?.kind,
      data: rest["data"],
    })),
    infrastructure: infrastructure.items.map((object) => object["spec"]),
  };
}

async function removeAll(namespace: string): Promise<void> {
  for (const kind of [StewardControlPlane, TenantControlPlane]) {
    for (const { metadata } of (await cluster.client.list(kind, { namespace })).items) {
      await cluster.client.patch(kind, metadata, { type: "merge", patch: { metadata: { finalizers: null } } });
      await cluster.client.delete(kind, metadata).catch(ignoreNotFound);
    }
  }
}

async function prepare(namespace: string): Promise<void> {
  const { group, version, kind } = ProxmoxCluster;
  const metadata = { name: "blue", namespace };
  await cluster.client.create(ProxmoxCluster, { apiVersion: `${group}/${version}`, kind, metadata });
  const infrastructureRef = { apiGroup: group, kind, name: "blue" };
  const tenant = new Tenant(cluster.client, namespace);
  await tenant.createAll({ spec: { version: "v1.35.4" } }, { name: "green", spec: { infrastructureRef } });
}

/** Whether a control plane matches its spec. */
function hasArrived({ metadata, spec, status }: StewardControlPlane): boolean {
  const holds = (type: string): boolean => isConditionTrue(status?.conditions, type);
  return (
    metadata.deletionTimestamp === undefined &&
    status?.observedGeneration === metadata.generation &&
    status?.version === spec.version &&
    ["Ready", "InfrastructureClusterPatched"].every(holds) &&
    !["RollingOut", "ScalingUp", "ScalingDown"].some(holds)
  );
}

/** Separate scenarios for the crash harness, each with a fake TenantControlPlane controller. */
function crashScenariosOf(change?: (key: { name: string; namespace: string }) => Promise<unknown>) {
  return async () => {
    const namespace = `scenario-${++namespaces}`;
    const key = { name: "blue", namespace };
    await cluster.createNamespace(namespace);
    const playing = new AbortController();
    const played = new PlayedSteward(cluster.client, namespace).play(playing.signal);
    await prepare(namespace);
    const start = async (intercept?: Interceptor) => {
      const { runtime, kill } = await runProvider(cluster.client, intercept === undefined ? {} : { intercept });
      const isSettled = async (): Promise<boolean> => {
        const live = await cluster.client.find(StewardControlPlane, key);
        if (live === undefined) return runtime.isIdle;
        const preview = await runtime.preview(key);
        return runtime.isIdle && preview?.isSettled === true && hasArrived(live);
      };
      return { isSettled, stop: kill };
    };
    return {
      start: startAfterChange(start, change && (() => change(key))),
      snapshot: () => lookAround(namespace),
      tearDown: async () => {
        playing.abort();
        await played;
        await removeAll(namespace);
      },
    };
  };
}

type Report = Awaited<ReturnType<typeof crashAfterEverySideEffect>>;

// How often a status is written depends on timing; in which order things are done first does not.
const outline = ({ sideEffects }: Report) => [
  ...new Set(sideEffects.map(({ verb, target }) => `${verb} ${target.replace(/ .*/, "")}`)),
];

const controlPlanes = "stewardcontrolplanes.controlplane.cluster.x-k8s.io";
const tenants = "tenantcontrolplanes.steward.butlerlabs.dev";

describe("the provider stopped after each of its side effects", () => {
  it("still brings a control plane up", async () => {
    const report = await crashAfterEverySideEffect(crashScenariosOf());
    expect(outline(report)).toEqual([
      `finalizer ${controlPlanes}`,
      `apply ${tenants}`,
      `status ${controlPlanes}`,
      "apply secrets",
      "perform setEndpoint",
      "perform announceEndpoint",
    ]);
    expect(report.endState).toMatchObject({
      controlPlanes: [{ status: { initialized: true, version: "v1.35.4" } }],
      tenants: [{ owner: "StewardControlPlane" }],
      secrets: [
        { name: "blue-admin-kubeconfig" },
        { name: "blue-ca" },
        { name: "green-ca" },
        { name: "green-kubeconfig" },
      ],
      infrastructure: [{ controlPlaneEndpoint: { host: "10.0.0.7", port: 6443 } }],
    });
  });

  it("still upgrades it", async () => {
    const patch = { spec: { version: "v1.36.3" } };
    const report = await crashAfterEverySideEffect(
      crashScenariosOf((key) => cluster.client.patch(StewardControlPlane, key, { type: "merge", patch })),
    );
    expect(outline(report)).toEqual([`apply ${tenants}`, `status ${controlPlanes}`]);
    expect(report.endState).toMatchObject({
      controlPlanes: [{ status: { version: "v1.36.3", versions: [{ version: "v1.36.3", replicas: 2 }] } }],
      tenants: [{ spec: { kubernetes: { version: "v1.36.3" } } }],
    });
  });

  it("still deletes a control plane", async () => {
    const report = await crashAfterEverySideEffect(
      crashScenariosOf((key) => cluster.client.delete(StewardControlPlane, key)),
    );
    expect(outline(report)).toEqual([
      `remove ${tenants}`,
      `status ${controlPlanes}`,
      "remove secrets",
      `finalizer ${controlPlanes}`,
    ]);
    // The tenant's own Secrets are deleted by the garbage collector, which a test cluster does not have.
    expect(report.endState).toMatchObject({
      controlPlanes: [],
      tenants: [],
      secrets: [{ name: "blue-admin-kubeconfig" }, { name: "blue-ca" }],
    });
  });
});
