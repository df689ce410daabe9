import { annotations, ProviderConfig, type TenantCluster } from "@butler/api";
import type { MachineDeployment } from "@butler/api-external";
import type { Plan } from "@butler/controller";
import { localMachines } from "@butler/provider-local/machines";
import { type Condition, type DynamicObject, parseObject } from "@butler/resource";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Observed } from "./observed.ts";
import { planTenantCluster } from "./plan.ts";
import {
  aStuckMachine,
  aTenantCluster,
  machineProviders,
  now,
  observedOf,
  playedFrom,
} from "./testing/observed-objects.ts";
import { namespaceObject } from "./render/namespace.ts";

const plan = (observed: Observed, at = now): Plan => planTenantCluster(observed, at, machineProviders);
const begun = (cluster: TenantCluster): Observed =>
  observedOf(cluster, { namespace: namespaceObject(cluster, localMachines) });

/** The cluster after everything in a plan has been created and is ready. */
function complete(cluster: TenantCluster, version = cluster.spec.kubernetesVersion ?? ""): Observed {
  return playedFrom(cluster, plan(begun(cluster)).apply ?? [], version);
}

/** The same observation with another spec. */
function changed(observed: Observed, spec: object): Observed {
  return { ...observed, cluster: aTenantCluster({ ...observed.cluster.spec, ...spec }, observed.cluster.metadata) };
}

const kindsOf = ({ apply = [] }: Plan): string[] => apply.map(({ kind }) => kind);
const objectOf = ({ apply = [] }: Plan, kind: string): DynamicObject =>
  apply.find((each) => each.kind === kind) as DynamicObject;
const conditionOf = ({ conditions = [] }: Plan, type: string) => conditions.find((each) => each.type === type);
const deploymentsOf = ({ apply = [] }: Plan): MachineDeployment[] =>
  apply.filter(({ kind }) => kind === "MachineDeployment") as MachineDeployment[];

describe("a new tenant cluster", () => {
  it("gets its namespace first, and nothing else before it exists", () => {
    const first = plan(observedOf(aTenantCluster()));
    expect(kindsOf(first)).toEqual(["Namespace"]);
    expect(first.apply?.[0]?.metadata.name).toBe("shop-0a1b2c3d");
    expect(first.status).toMatchObject({ phase: "Provisioning", tenantNamespace: "shop-0a1b2c3d" });
  });

  it("then gets everything else in one pass", () => {
    expect(kindsOf(plan(begun(aTenantCluster())))).toEqual([
      "Namespace",
      // For platform administrators.
      "Role",
      "RoleBinding",
      // For Butler's server.
      "Role",
      "RoleBinding",
      "LocalCluster",
      "StewardControlPlane",
      "Cluster",
      "LocalMachineTemplate",
      "KubeadmConfigTemplate",
      "MachineDeployment",
    ]);
  });

  it("is ready when all of its parts are, and reports the time of each step", () => {
    const ready = plan(complete(aTenantCluster()));
    expect(conditionOf(ready, "Ready")).toMatchObject({ status: "True" });
    expect(ready.status).toMatchObject({ phase: "Ready", workerNodesReady: 2, workerNodesDesired: 2 });
    const { steps } = ready.status as { steps: { name: string; finishedAt?: string }[] };
    expect(steps.map(({ name, finishedAt }) => [name, finishedAt])).toEqual(
      ["Accepted", "ControlPlane", "Workers", "Addons", "Ready"].map((name) => [name, now.toISOString()]),
    );
  });

  it("changes nothing once it exists", () => {
    const observed = complete(aTenantCluster());
    expect(plan(observed).remove).toEqual([]);
    expect(plan(observed).apply).toEqual(plan(begun(observed.cluster)).apply);
  });

  it("does not take over a namespace of another owner", () => {
    const cluster = aTenantCluster();
    const foreign = { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop-0a1b2c3d" } };
    const refused = plan(observedOf(cluster, { namespace: foreign }));
    expect(refused.apply).toBeUndefined();
    expect(conditionOf(refused, "Ready")).toMatchObject({ reason: "NamespaceTaken" });
  });
});

describe("a tenant cluster that cannot be created", () => {
  const provider = (spec: object, metadata: object = {}): ProviderConfig =>
    parseObject(ProviderConfig, {
      apiVersion: ProviderConfig.apiVersion,
      kind: ProviderConfig.kind,
      metadata: { name: "p", namespace: "butler-system", ...metadata },
      spec,
    });
  const key = { name: "p", namespace: "butler-system" };

  it.each<[string, Partial<Observed["provider"]>, string, string]>([
    ["names no provider", { key: undefined, found: undefined }, "NoProvider", "Pending"],
    ["names one that is not there", { key, found: undefined }, "ProviderConfigNotFound", "Pending"],
    [
      "names another team's",
      { key, found: provider({ provider: "local", scope: { type: "team", teamRef: { name: "other" } } }) },
      "ProviderAccessDenied",
      "Failed",
    ],
    [
      "names one in another team's namespace",
      { key: { name: "p", namespace: "billing" }, found: provider({ provider: "local" }) },
      "ProviderAccessDenied",
      "Failed",
    ],
    [
      "names a team's own, with machines that are pods of the management cluster",
      {
        key: { name: "p", namespace: "payments" },
        found: provider({ provider: "local" }, { namespace: "payments" }),
      },
      "LocalNotAllowed",
      "Pending",
    ],
    [
      "names one with an image that the platform does not list",
      { key, found: provider({ provider: "local", local: { kindNodeImage: "evil.example/root:1" } }) },
      "ImageNotAllowed",
      "Pending",
    ],
    [
      "names one that is being deleted",
      { key, found: provider({ provider: "local" }, { deletionTimestamp: "2026-03-01T11:00:00Z" }) },
      "ProviderDeleting",
      "Pending",
    ],
    [
      "names one with credentials of another namespace",
      {
        key: { name: "p", namespace: "payments" },
        found: provider(
          { provider: "local", credentialsRef: { name: "x", namespace: "billing" } },
          { namespace: "payments" },
        ),
        credentials: undefined,
      },
      "CredentialsInvalid",
      "Pending",
    ],
    [
      "names a kind that is not supported",
      {
        key,
        found: provider({
          provider: "aws",
          credentialsRef: { name: "x" },
          aws: { region: "eu-central-1" },
        }),
      },
      "UnsupportedProvider",
      "Failed",
    ],
    [
      "names one whose provider is not installed",
      {
        key,
        found: provider({
          provider: "harvester",
          credentialsRef: { name: "x" },
          harvester: { networkName: "default/vlan40" },
        }),
      },
      "ProviderNotInstalled",
      "Pending",
    ],
  ])("because it %s reports the reason", (_what, found, reason, phase) => {
    const observed = begun(aTenantCluster());
    const isProviderServed = found.found?.spec.provider === "local";
    const told = plan({ ...observed, isProviderServed, provider: { ...observed.provider, ...found } });
    expect(told.apply).toBeUndefined();
    expect(told.finalizer).toBe("hold");
    expect(conditionOf(told, "Ready")).toMatchObject({ status: "False", reason });
    expect(told.status).toMatchObject({ phase });
  });
});

describe("a tenant cluster that exists", () => {
  it("keeps a provider that new clusters may not use", () => {
    const observed = complete(aTenantCluster());
    const found = { ...(observed.provider.found as ProviderConfig), metadata: { name: "p", namespace: "payments" } };
    const kept = plan({ ...observed, provider: { ...observed.provider, key: found.metadata, found } });
    expect(conditionOf(kept, "Ready")).toMatchObject({ status: "True" });
  });
});

describe("a change of a tenant cluster", () => {
  it("of its size reaches the MachineDeployment", () => {
    const scaled = plan(changed(complete(aTenantCluster()), { workers: { replicas: 4 } }));
    expect(deploymentsOf(scaled)[0]?.spec.replicas).toBe(4);
    expect(conditionOf(scaled, "WorkersReady")).toMatchObject({ status: "False" });
  });

  it("of its machines creates a new template and keeps the old one while machines use it", () => {
    const before = complete(aTenantCluster());
    const observed = changed(before, { workers: { replicas: 2, machineTemplate: { memory: "32Gi" } } });
    const resized = plan(observed);
    const name = objectOf(resized, "LocalMachineTemplate").metadata.name;
    expect(name).not.toBe(before.templates.find(({ kind }) => kind === "LocalMachineTemplate")?.metadata.name);
    expect(deploymentsOf(resized)[0]?.spec.template.spec.infrastructureRef.name).toBe(name);
    expect(resized.remove).toEqual([]);
    // The status of the old machines does not count for the new spec.
    expect(conditionOf(resized, "Ready")).toMatchObject({ status: "False" });
    const rolled = { ...observed, deployments: deploymentsOf(resized), machineSets: [] };
    expect(plan(rolled).remove).toMatchObject([{ kind: { kind: "LocalMachineTemplate" } }]);
  });

  it("of its version upgrades the control plane first, then the workers", () => {
    const before = complete(aTenantCluster({ kubernetesVersion: "v1.35.4" }));
    const observed = changed(before, { kubernetesVersion: "v1.36.3" });
    const first = plan(observed);
    expect(objectOf(first, "StewardControlPlane")["spec"]).toMatchObject({
      version: "v1.36.3",
    });
    expect(deploymentsOf(first)[0]?.spec.template.spec.version).toBe("v1.35.4");
    expect(conditionOf(first, "ControlPlaneReady")).toMatchObject({ status: "False", reason: "Upgrading" });
    const status = { ...observed.controlPlane?.status, version: "v1.36.3" };
    const followed = plan({
      ...observed,
      controlPlane: { ...observed.controlPlane, status } as Observed["controlPlane"],
    });
    expect(deploymentsOf(followed)[0]?.spec.template.spec.version).toBe("v1.36.3");
  });

  it("of the control plane's resources is not done before it is applied to the control plane", () => {
    const resources = { apiServer: { requests: { cpu: "1" } } };
    const grown = plan(changed(complete(aTenantCluster()), { controlPlane: { resources } }));
    expect(conditionOf(grown, "ControlPlaneReady")).toMatchObject({ status: "False", reason: "Updating" });
  });

  it("deletes only the pool that was removed", () => {
    const before = complete(aTenantCluster({ workerPools: [{ name: "big", replicas: 1 }] }));
    expect(deploymentsOf(plan(before)).map(({ metadata }) => metadata.name)).toEqual(["shop-workers", "shop-big"]);
    const removed = plan(changed(before, { workerPools: undefined }));
    expect(removed.remove).toMatchObject([{ name: "shop-big" }]);
  });

  it("waits while the cluster is paused", () => {
    const paused = plan(changed(complete(aTenantCluster()), { paused: true, workers: { replicas: 9 } }));
    expect(kindsOf(paused)).toEqual(["Cluster"]);
    expect(objectOf(paused, "Cluster")["spec"]).toMatchObject({ paused: true });
    expect(conditionOf(paused, "Paused")).toMatchObject({ status: "True" });
  });

  it("puts labels and taints of a pool on its nodes", () => {
    const taints = [{ key: "gpu", value: "yes", effect: "NoSchedule" }];
    const cluster = aTenantCluster({ workerPools: [{ name: "gpu", replicas: 1, labels: { a: "b" }, taints }] });
    const templates = plan(begun(cluster)).apply?.filter(({ kind }) => kind === "KubeadmConfigTemplate");
    expect(templates?.[1]).toMatchObject({
      spec: {
        template: {
          spec: {
            joinConfiguration: {
              nodeRegistration: { taints, kubeletExtraArgs: [{ name: "node-labels", value: "a=b" }] },
            },
          },
        },
      },
    });
  });
});

describe("the deletion of a tenant cluster", () => {
  const deleted = (metadata: object = {}): TenantCluster =>
    aTenantCluster({}, { deletionTimestamp: "2026-03-01T11:50:00Z", finalizers: ["x"], ...metadata });
  const typesLeft = ({ conditions = [] }: Plan): string[] =>
    conditions
      .filter(({ type, status }) => type.match(/Removed|Released/) && status === "False")
      .map(({ type }) => type);

  it("runs step by step and reports what it waits for", () => {
    const cluster = deleted();
    const there = { ...complete(aTenantCluster()), cluster };
    const machine = aStuckMachine(cluster, "2026-03-01T11:55:00Z");
    const first = plan({ ...there, machines: [machine] });
    expect(first.remove).toMatchObject([{ name: "shop", kind: { kind: "Cluster" } }]);
    expect(typesLeft(first)).toEqual([
      "WorkersRemoved",
      "ControlPlaneRemoved",
      "AddressesReleased",
      "NamespaceRemoved",
    ]);
    expect(conditionOf(first, "WorkersRemoved")?.message).toBe(
      "waiting for deletion of machine shop-workers-x, terminating since 2026-03-01T11:55:00Z (finalizers: example.com/hold)",
    );
    const second = plan({ ...there, deployments: [], machines: [] });
    expect(typesLeft(second)).toEqual(["ControlPlaneRemoved", "AddressesReleased", "NamespaceRemoved"]);
    const third = plan(observedOf(cluster, { namespace: there.namespace }));
    expect(third.remove).toMatchObject([{ name: "shop-0a1b2c3d" }]);
    expect(plan(observedOf(cluster)).finalizer).toBe("release");
  });

  it("keeps a namespace of another owner", () => {
    const foreign = { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop-0a1b2c3d" } };
    expect(plan(observedOf(deleted(), { namespace: foreign }))).toEqual({ finalizer: "release" });
  });

  it("is reported when it is overdue, with the remedy", () => {
    const late = plan({ ...begun(deleted()) }, new Date("2026-03-01T12:20:00Z"));
    expect(conditionOf(late, "DeletionOverdue")?.message).toContain(annotations.abandon);
    expect(late.events).toContainEqual(expect.objectContaining({ type: "Warning", reason: "DeletionOverdue" }));
    const intime = plan({ ...begun(deleted()) }, now);
    expect(conditionOf(intime, "DeletionOverdue")).toBeUndefined();
    expect(intime.requeueAfterMs).toBe(20 * 60_000);
  });
});

describe("for any request", () => {
  const name = fc.stringMatching(/^[a-z]([-a-z0-9]{0,52}[a-z0-9])?$/);
  const pool = fc.record({
    name: fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,18}[a-z0-9])?$/).filter((text) => text !== "workers"),
    replicas: fc.nat(5),
  });

  it("names stay within Kubernetes' limits, and no two pools share one", () => {
    fc.assert(
      fc.property(
        name,
        fc.uniqueArray(pool, { selector: (each) => each.name, maxLength: 4 }),
        (clusterName, workerPools) => {
          const cluster = aTenantCluster({ workerPools }, { name: clusterName });
          const { apply = [] } = plan(begun(cluster));
          const ids = apply.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
          expect(new Set(ids).size).toBe(ids.length);
          for (const { kind, metadata } of apply) {
            expect(metadata.name.length).toBeLessThanOrEqual(kind === "MachineDeployment" ? 50 : 63);
          }
        },
      ),
    );
  });

  it("workers are never ahead of the control plane", () => {
    const version = fc.constantFrom("v1.34.1", "v1.35.4", "v1.36.3");
    fc.assert(
      fc.property(version, version, version, (present, running, wanted) => {
        const before = playedFrom(
          aTenantCluster({ kubernetesVersion: present }),
          plan(begun(aTenantCluster({ kubernetesVersion: present }))).apply ?? [],
          running,
        );
        const [deployment] = deploymentsOf(plan(changed(before, { kubernetesVersion: wanted })));
        const ofWorkers = deployment?.spec.template.spec.version ?? "";
        expect(ofWorkers === present || running === wanted).toBe(true);
      }),
    );
  });

  it("equal observations give equal plans", () => {
    const observed = complete(aTenantCluster());
    expect(plan(structuredClone(observed))).toEqual(plan(observed));
  });
});

describe("a reported condition", () => {
  it("never changes by the passage of time alone", () => {
    const observed = complete(aTenantCluster());
    const { status } = plan(observed);
    const stored = { ...observed.cluster, status: { ...status, conditions: [] as Condition[] } } as TenantCluster;
    const later = plan({ ...observed, cluster: stored }, new Date(now.getTime() + 3_600_000));
    expect(later.status).toEqual(status);
  });
});
