import { TenantControlPlane } from "@butler/api";
import type { Plan } from "@butler/controller";
import { findCondition, mergeConditions } from "@butler/resource";
import { describe, expect, it } from "vitest";
import { type ControlPlaneEffect, type Observed, plan } from "./plan.ts";
import { aCluster, aCondition, aControlPlane, aSecretOf, aTenant, endpoint, servingStatus } from "./testing/objects.ts";
import { deletionTimestamp, now, observedWith } from "./testing/observed-with.ts";

const controlPlane = aControlPlane({ spec: { controlPlaneEndpoint: endpoint } });
const initialized = { initialization: { controlPlaneInitialized: true }, initialized: true };

type Decided = Plan<ControlPlaneEffect>;

const condition = ({ conditions = [] }: Decided, type: string) =>
  findCondition(mergeConditions({ current: undefined, stated: conditions, generation: undefined, now }), type);
const names = ({ apply = [] }: Decided) => apply.map(({ kind, metadata }) => `${kind} ${metadata.name}`);

describe("the plan for a control plane", () => {
  it("is empty when everything exists", () => {
    const decided = plan(observedWith());
    expect(names(decided)).toEqual(["TenantControlPlane blue", "Secret blue-kubeconfig"]);
    expect(decided).toMatchObject({ finalizer: "hold", effects: [], events: [] });
    expect(decided.requeueAfterMs).toBeUndefined();
    expect(decided.status).toEqual({
      ...initialized,
      ready: true,
      replicas: 2,
      readyReplicas: 2,
      availableReplicas: 2,
      upToDateReplicas: 2,
      updatedReplicas: 2,
      unavailableReplicas: 0,
      selector: "steward.butlerlabs.dev/name=blue",
      version: "v1.36.3",
      versions: [{ version: "v1.36.3", replicas: 2 }],
      externalManagedControlPlane: true,
    });
    const said = decided.conditions?.map(({ type, status, reason }) => `${type}=${status} ${reason}`);
    expect(said).toEqual([
      "Ready=True Available",
      "Available=True Available",
      "RollingOut=False NotRollingOut",
      "ScalingUp=False NotScalingUp",
      "ScalingDown=False NotScalingDown",
      "TenantControlPlaneCreated=True Succeeded",
      "TenantControlPlaneAddressReady=True Succeeded",
      "ControlPlaneEndpointPatched=True Succeeded",
      "KubeadmResourcesCreated=True Succeeded",
      "CertificatesAvailable=True Succeeded",
      "StewardControlPlaneIsInitialized=True Succeeded",
      "StewardControlPlaneIsReady=True Available",
      "Deleting=False NotDeleting",
      "Paused=False NotPaused",
      "InfrastructureClusterPatched=True NotNeeded",
    ]);
  });

  const { conditions: _unsaid, kubeadmPhase: _unjoinable, ...silent } = servingStatus();
  const noPod = aCondition("Available", { status: "False", reason: "NoPodReady", message: "no pod is ready" });
  const noSecrets = {
    admin: undefined,
    authority: undefined,
    clusterKubeconfig: undefined,
    clusterAuthority: undefined,
  };
  const unpublished = aControlPlane();

  it.each<[string, Partial<Observed>, string, readonly string[]]>([
    ["its Cluster", { cluster: undefined, tenant: undefined }, "WaitingForCluster", []],
    ["its TenantControlPlane", { tenant: undefined }, "WaitingForTenantControlPlane", ["TenantControlPlane blue"]],
    [
      "an address",
      { tenant: aTenant(controlPlane, { status: { ...servingStatus(), controlPlaneEndpoint: "" } }) },
      "WaitingForAddress",
      ["TenantControlPlane blue", "Secret blue-kubeconfig"],
    ],
    [
      "a pod, in the TenantControlPlane's own words",
      { tenant: aTenant(controlPlane, { status: { ...servingStatus(), conditions: [noPod] } }) },
      "NoPodReady",
      ["TenantControlPlane blue", "Secret blue-kubeconfig"],
    ],
    ["the certificates", { secrets: noSecrets }, "WaitingForCertificates", ["TenantControlPlane blue"]],
    [
      "the join resources",
      { tenant: aTenant(controlPlane, { status: silent }) },
      "WaitingForJoinResources",
      ["TenantControlPlane blue", "Secret blue-kubeconfig"],
    ],
    [
      "the endpoint in its spec",
      { controlPlane: unpublished },
      "WaitingForEndpoint",
      ["TenantControlPlane blue", "Secret blue-kubeconfig"],
    ],
  ])("waits for %s before it is initialized", (_what, change, reason, applied) => {
    const decided = plan(observedWith(change));
    expect(condition(decided, "Ready")).toMatchObject({ status: "False", reason });
    expect(condition(decided, "StewardControlPlaneIsInitialized")).toMatchObject({ status: "False", reason });
    expect(decided.status).toMatchObject({ initialized: false });
    expect(decided.status?.["initialization"]).toBeUndefined();
    expect(names(decided)).toEqual(applied);
    expect(decided.finalizer).toBe(reason === "WaitingForCluster" ? "none" : "hold");
    expect(decided.events).toEqual([]);
  });

  it.each<[string, Partial<Observed>, boolean]>([
    ["once the API server is serving and its kubeconfig exists", {}, true],
    [
      "not before it is serving",
      { tenant: aTenant(unpublished, { status: { ...servingStatus(), conditions: [noPod] } }) },
      false,
    ],
    ["not before its kubeconfig exists", { secrets: noSecrets }, false],
    ["not again", { controlPlane }, false],
    [
      "when it changes, even while the API server is down",
      {
        controlPlane: aControlPlane({
          spec: { controlPlaneEndpoint: { host: "10.0.0.1", port: 6443 } },
          status: initialized,
        }),
        tenant: aTenant(unpublished, { status: { ...servingStatus(), conditions: [noPod] } }),
      },
      true,
    ],
  ])("publishes the endpoint %s", (_what, change, isPublished) => {
    const { effects } = plan(observedWith({ controlPlane: unpublished, ...change }));
    const effect = { type: "setEndpoint", name: "blue", namespace: "default", uid: "uid-of-blue", endpoint };
    expect(effects).toEqual(isPublished ? [effect] : []);
  });

  it("reports a Cluster endpoint that is out of date", () => {
    const cluster = aCluster({ spec: { controlPlaneEndpoint: { host: "10.0.0.1", port: 6443 } } });
    const patched = condition(plan(observedWith({ cluster })), "ControlPlaneEndpointPatched");
    expect(patched).toMatchObject({ status: "False", reason: "ClusterEndpointDiffers" });
    expect(patched?.message).toContain(
      "the Cluster has endpoint 10.0.0.1:6443, but the API server is at 10.0.0.7:6443",
    );
  });

  it("sets the endpoint on other providers' infrastructure after the spec", () => {
    const infrastructureRef = { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "ProxmoxCluster", name: "blue" };
    const cluster = aCluster({ spec: { infrastructureRef } });
    const infrastructure = { uid: "u", endpoint: undefined, isOurs: false, isProvisioned: false };
    const types = (change: Partial<Observed>) =>
      plan(observedWith({ cluster, infrastructure, ...change })).effects?.map(({ type }) => type);
    expect(types({ controlPlane: unpublished })).toEqual(["setEndpoint"]);
    expect(types({})).toEqual(["announceEndpoint"]);
    const moved = aControlPlane({ spec: { controlPlaneEndpoint: { host: "10.0.0.1", port: 1 } } });
    expect(types({ controlPlane: moved })).toEqual(["setEndpoint"]);
    const decided = plan(observedWith({ cluster }));
    expect(decided.requeueAfterMs).toBe(5_000);
    expect(condition(decided, "Ready")?.status).toBe("True");
  });

  it("trusts the infrastructure condition only for the generation that it was computed from", () => {
    const infrastructureRef = { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "ProxmoxCluster", name: "blue" };
    const cluster = aCluster({ spec: { infrastructureRef } });
    const reasonAt = (observedGeneration: number) => {
      const patched = aCondition("InfrastructureClusterPatched", { reason: "Patched", observedGeneration });
      const spec = { controlPlaneEndpoint: endpoint };
      const before = aControlPlane({ spec, generation: 2, status: { ...initialized, conditions: [patched] } });
      return condition(plan(observedWith({ cluster, controlPlane: before })), "InfrastructureClusterPatched")?.reason;
    };
    expect([reasonAt(2), reasonAt(1)]).toEqual(["Patched", "WaitingForInfrastructure"]);
  });
});

describe("a control plane that has been initialized", () => {
  const arrived = aControlPlane({ spec: { controlPlaneEndpoint: endpoint }, status: initialized });

  it.each<[string, Partial<Observed>]>([
    ["its pods are deleted", { tenant: aTenant(arrived, { status: {} }) }],
    ["its TenantControlPlane is deleted", { tenant: undefined }],
    ["its Cluster is deleted", { cluster: undefined }],
  ])("stays so when %s", (_what, change) => {
    expect(plan(observedWith({ controlPlane: arrived, ...change })).status).toMatchObject(initialized);
  });

  it("reports lost data", () => {
    const { events, apply } = plan(observedWith({ controlPlane: arrived, tenant: undefined }));
    expect(events).toEqual([expect.objectContaining({ type: "Warning", reason: "TenantControlPlaneLost" })]);
    expect(apply).toHaveLength(1);
  });

  const countsOf = (counts: object, version = "v1.36.3", phase: "Ready" | "Sleeping" | "Upgrading" = "Ready") => {
    const status = servingStatus();
    const deployment = { selector: "a=b", ...counts };
    return { ...status, kubernetesResources: { version: { version, status: phase }, deployment } };
  };
  const steady = { replicas: 2, readyReplicas: 2, availableReplicas: 2, updatedReplicas: 2 };

  it.each<[string, number, object, Record<string, "True" | "False">]>([
    ["as wanted", 2, steady, { RollingOut: "False", ScalingUp: "False", ScalingDown: "False" }],
    ["one too few", 3, steady, { RollingOut: "False", ScalingUp: "True", ScalingDown: "False" }],
    ["one too many", 1, steady, { RollingOut: "False", ScalingUp: "False", ScalingDown: "True" }],
    [
      "being replaced with a surge",
      2,
      { ...steady, replicas: 4 },
      { RollingOut: "True", ScalingUp: "False", ScalingDown: "False" },
    ],
  ])("reports pods: %s", (_what, replicas, counts, expected) => {
    const wanted = aControlPlane({ spec: { replicas, controlPlaneEndpoint: endpoint }, status: initialized });
    const decided = plan(observedWith({ controlPlane: wanted, tenant: aTenant(wanted, { status: countsOf(counts) }) }));
    for (const [type, status] of Object.entries(expected)) expect(condition(decided, type)?.status).toBe(status);
    expect(condition(decided, "Available")?.status).toBe("True");
  });

  it.each<[string, object, string, object[]]>([
    [
      "has not begun",
      steady,
      "v1.35.4",
      [
        { version: "v1.35.4", replicas: 0 },
        { version: "v1.36.3", replicas: 2 },
      ],
    ],
    [
      "is in progress",
      { replicas: 4, updatedReplicas: 2 },
      "v1.35.4",
      [
        { version: "v1.35.4", replicas: 2 },
        { version: "v1.36.3", replicas: 2 },
      ],
    ],
    ["has no new pod yet", { replicas: 2, updatedReplicas: 0 }, "v1.35.4", [{ version: "v1.35.4", replicas: 2 }]],
    ["has completed", steady, "v1.36.3", [{ version: "v1.36.3", replicas: 2 }]],
    [
      "goes back to an earlier patch version",
      { replicas: 4, updatedReplicas: 2 },
      "v1.36.10",
      [
        { version: "v1.36.3", replicas: 2 },
        { version: "v1.36.10", replicas: 2 },
      ],
    ],
  ])("reports the lowest version when an upgrade %s", (_what, counts, running, versions) => {
    const tenant = aTenant(arrived, { status: countsOf(counts, running, "Upgrading") });
    const decided = plan(observedWith({ controlPlane: arrived, tenant }));
    expect(decided.status).toMatchObject({ versions, version: (versions[0] as { version: string }).version });
    expect(condition(decided, "RollingOut")?.status).toBe(running === "v1.36.3" ? "False" : "True");
  });

  it("is ready but not available while it is scaled to zero", () => {
    const asleep = aControlPlane({ spec: { replicas: 0, controlPlaneEndpoint: endpoint }, status: initialized });
    const tenant = aTenant(asleep, { status: countsOf({}, "v1.36.3", "Sleeping") });
    const decided = plan(observedWith({ controlPlane: asleep, tenant }));
    expect(decided.status).toMatchObject({ ready: false, replicas: 0, initialized: true, version: "v1.36.3" });
    expect(condition(decided, "Available")).toMatchObject({ status: "False", reason: "Sleeping" });
    expect(condition(decided, "Ready")).toMatchObject({ status: "True", reason: "Sleeping" });
    expect(condition(decided, "ScalingDown")?.status).toBe("False");
  });
});

describe("a control plane that cannot be created", () => {
  const foreign = aTenant(controlPlane, { ownerReferences: [], status: servingStatus() });

  it.each<[string, Partial<Observed>, string]>([
    ["a TenantControlPlane of a user", { tenant: foreign }, "TenantControlPlaneNameTaken"],
    [
      "one of an earlier object of the same name",
      { tenant: aTenant(aControlPlane({ uid: "earlier" }), { status: servingStatus() }) },
      "TenantControlPlaneNameTaken",
    ],
    [
      "its own, which is being deleted",
      { tenant: aTenant(controlPlane, { deletionTimestamp, status: servingStatus() }) },
      "TenantControlPlaneDeleted",
    ],
    [
      "a Service CIDR that is too small",
      { cluster: aCluster({ spec: { clusterNetwork: { services: { cidrBlocks: ["10.0.0.0/30"] } } } }) },
      "ServiceRangeUnusable",
    ],
    [
      "an external cluster",
      {
        controlPlane: aControlPlane({
          spec: {
            deployment: {
              externalClusterReference: {
                kubeconfigSecretName: "a",
                kubeconfigSecretKey: "b",
                deploymentNamespace: "c",
              },
            },
          },
        }),
      },
      "NotSupported",
    ],
  ])("because of %s reports it and changes nothing of it", (_what, change, reason) => {
    const decided = plan(observedWith(change));
    expect(names(decided)).not.toContain("TenantControlPlane blue");
    expect(condition(decided, "Ready")).toMatchObject({ status: "False", reason });
    expect(condition(decided, "TenantControlPlaneCreated")).toMatchObject({ status: "False", reason });
    expect(decided.events).toEqual([expect.objectContaining({ type: "Warning", reason })]);
    expect(decided.remove ?? []).toEqual([]);
  });

  it("exports nothing of another owner's TenantControlPlane to Cluster API", () => {
    const decided = plan(observedWith({ tenant: foreign, controlPlane: aControlPlane() }));
    expect(decided).toMatchObject({ apply: [], effects: [], status: { replicas: 0, ready: false } });
  });

  it("because of a Secret name reports it, and retries", () => {
    const clusterKubeconfig = aSecretOf("blue-kubeconfig", { data: { other: "x" } });
    const { secrets } = observedWith();
    const decided = plan(observedWith({ secrets: { ...secrets, clusterKubeconfig } }));
    expect(names(decided)).toEqual(["TenantControlPlane blue"]);
    expect(condition(decided, "CertificatesAvailable")).toMatchObject({ status: "False", reason: "SecretNameTaken" });
    expect(decided.requeueAfterMs).toBe(60_000);
  });

  it("in full reports the ignored ranges", () => {
    const pods = { cidrBlocks: ["10.244.0.0/16", "fd00::/64"] };
    const { events } = plan(observedWith({ cluster: aCluster({ spec: { clusterNetwork: { pods } } }) }));
    expect(events).toEqual([
      expect.objectContaining({ reason: "RangesNotUsed", message: expect.stringContaining("fd00::/64") }),
    ]);
  });
});

describe("a control plane that is not reconciled", () => {
  it.each<[string, Partial<Observed>]>([
    ["its Cluster is paused", { cluster: aCluster({ spec: { paused: true } }) }],
    ["it is paused itself", { controlPlane: aControlPlane({ annotations: { "cluster.x-k8s.io/paused": "yes" } }) }],
  ])("does nothing while %s, even when it is deleted", (_what, change) => {
    const observed = observedWith({ tenant: undefined, ...change });
    const { metadata } = observed.controlPlane;
    const deleted = { ...observed.controlPlane, metadata: { ...metadata, deletionTimestamp } };
    for (const each of [observed.controlPlane, deleted]) {
      const paused = [expect.objectContaining({ type: "Paused", status: "True" })];
      expect(plan({ ...observed, controlPlane: each })).toEqual({ finalizer: "none", conditions: paused });
    }
  });

  it("keeps its previous conditions", () => {
    const conditions = [aCondition("Ready"), aCondition("Paused", { status: "False" })];
    const before = aControlPlane({ annotations: { "cluster.x-k8s.io/paused": "" }, status: { conditions } });
    const { conditions: stated = [] } = plan(observedWith({ controlPlane: before }));
    expect(stated.map(({ type, status }) => `${type}=${status}`)).toEqual(["Ready=True", "Paused=True"]);
  });
});

describe("a control plane that is deleted", () => {
  const deleted = aControlPlane({ deletionTimestamp, status: initialized });

  it("is deleted after its TenantControlPlane", () => {
    const decided = plan(observedWith({ controlPlane: deleted }));
    expect(decided).toMatchObject({ finalizer: "hold", status: initialized });
    expect(decided.remove).toEqual([
      { kind: TenantControlPlane, name: "blue", namespace: "default", uid: "uid-of-tenant" },
    ]);
    expect(decided.apply ?? []).toEqual([]);
    expect(decided.effects ?? []).toEqual([]);
    expect(condition(decided, "Deleting")).toMatchObject({ status: "True", reason: "WaitingForTenantControlPlane" });
    expect(condition(decided, "Ready")).toMatchObject({ status: "False", reason: "Deleting" });
  });

  it.each<[string, Partial<Observed>]>([
    ["no longer exists", { tenant: undefined }],
    ["has another owner", { tenant: aTenant(aControlPlane({ uid: "other" })) }],
    ["and Cluster no longer exist", { tenant: undefined, cluster: undefined }],
  ])("is deleted at once when its TenantControlPlane %s, with its own Secrets and no others", (_what, change) => {
    const decided = plan(observedWith({ controlPlane: deleted, ...change }));
    expect(decided.finalizer).toBe("release");
    expect(decided.remove?.map(({ name }) => name)).toEqual(["blue-kubeconfig"]);
    const byHand = {
      ...observedWith().secrets,
      clusterKubeconfig: aSecretOf("blue-kubeconfig", { data: { value: "x" } }),
    };
    expect(plan(observedWith({ controlPlane: deleted, ...change, secrets: byHand })).remove).toEqual([]);
  });
});
