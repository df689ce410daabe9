import { labels, ProviderConfig, StewardControlPlane, TenantCluster, TenantControlPlane } from "@butler/api";
import { Cluster, Machine, MachineDeployment, MachineSet } from "@butler/api-external";
import { harvesterMachines } from "@butler/provider-harvester";
import { localMachines } from "@butler/provider-local/machines";
import { apiVersionOf, type KubeObject, parseObject } from "@butler/resource";
import { tenantNamespaceOf } from "../names.ts";
import type { Observed } from "../observed.ts";
import { namespaceObject } from "../render/namespace.ts";

/** The current time in these tests. */
export const now = new Date("2026-03-01T12:00:00Z");

/** A TenantCluster as the API server would store it. */
export function aTenantCluster(spec: object = {}, metadata: object = {}): TenantCluster {
  return parseObject(TenantCluster, {
    apiVersion: TenantCluster.apiVersion,
    kind: TenantCluster.kind,
    metadata: {
      name: "shop",
      namespace: "payments",
      uid: "0a1b2c3d-0000-0000-0000-000000000000",
      creationTimestamp: "2026-03-01T11:59:00Z",
      ...metadata,
    },
    spec: { kubernetesVersion: "v1.36.3", workers: { replicas: 2 }, ...spec },
  });
}

const localProviderConfig = parseObject(ProviderConfig, {
  apiVersion: ProviderConfig.apiVersion,
  kind: ProviderConfig.kind,
  metadata: { name: "local", namespace: "butler-system" },
  spec: { provider: "local" },
});

/** The supported infrastructures in these tests. */
export const machineProviders = [localMachines, harvesterMachines];

/** A cluster without any objects, on machines that are pods, with the given overrides. */
export function observedOf(cluster: TenantCluster, more: Partial<Observed> = {}): Observed {
  return {
    cluster,
    config: undefined,
    team: undefined,
    provider: { key: localProviderConfig.metadata, found: localProviderConfig, credentials: {} },
    isProviderServed: true,
    namespace: undefined,
    capiCluster: undefined,
    controlPlane: undefined,
    tenantControlPlane: undefined,
    deployments: [],
    machineSets: [],
    machines: [],
    templates: [],
    addons: [],
    definitions: [],
    namesakes: [],
    allocations: [],
    pools: [],
    ...more,
  };
}

/** The objects of a cluster after Cluster API and Steward have processed what a plan applied. */
export function playedFrom(cluster: TenantCluster, applied: readonly KubeObject[], version: string): Observed {
  const namespace = tenantNamespaceOf(cluster);
  const ofKind = <T>(kind: string): T[] => applied.filter((object) => object.kind === kind) as T[];
  const deployments = ofKind<MachineDeployment>(MachineDeployment.kind).map(settled);
  const machineSets = deployments.map(machineSetOf);
  return observedOf(cluster, {
    namespace: namespaceObject(cluster, localMachines),
    capiCluster: {
      ...(ofKind<Cluster>(Cluster.kind)[0] ?? { apiVersion: "", kind: "", metadata: { name: "" } }),
      status: { initialization: { infrastructureProvisioned: true, controlPlaneInitialized: true } },
    },
    controlPlane: {
      ...(ofKind<StewardControlPlane>(StewardControlPlane.kind)[0] as StewardControlPlane),
      status: { initialized: true, ready: true, version, externalManagedControlPlane: true },
    },
    tenantControlPlane: {
      apiVersion: TenantControlPlane.apiVersion,
      kind: TenantControlPlane.kind,
      metadata: { name: cluster.metadata.name, namespace },
      status: {
        conditions: [
          { type: "AddonsReady", status: "True", reason: "Installed", message: "all there", lastTransitionTime: "" },
        ],
      },
    } as unknown as TenantControlPlane,
    deployments,
    machineSets,
    machines: machineSets.flatMap(machinesOf),
    templates: applied.filter(({ kind }) => kind.endsWith("Template")),
  });
}

/** A MachineDeployment whose machines all exist and are up to date. */
function settled(deployment: MachineDeployment): MachineDeployment {
  const { replicas = 0 } = deployment.spec;
  return {
    ...deployment,
    metadata: { ...deployment.metadata, generation: 1 },
    status: { observedGeneration: 1, replicas, readyReplicas: replicas, upToDateReplicas: replicas },
  };
}

function machineSetOf({ metadata, spec }: MachineDeployment): MachineSet {
  const name = `${metadata.name}-abc`;
  return {
    apiVersion: apiVersionOf(MachineSet),
    kind: MachineSet.kind,
    metadata: { ...metadata, name, uid: name },
    spec: { replicas: spec.replicas, template: spec.template },
  };
}

function machinesOf(set: MachineSet): Machine[] {
  const { name, namespace, labels: setLabels } = set.metadata;
  return Array.from({ length: set.spec.replicas ?? 0 }, (_, at) => ({
    apiVersion: apiVersionOf(Machine),
    kind: Machine.kind,
    metadata: {
      name: `${name}-${at}`,
      namespace,
      labels: setLabels,
      ownerReferences: [{ apiVersion: set.apiVersion, kind: set.kind, name, uid: name }],
    },
    spec: set.spec.template.spec,
    status: {
      nodeRef: { name: `${name}-${at}` },
      conditions: [{ type: "Ready", status: "True", reason: "Ready", message: "", lastTransitionTime: "" }],
    },
  }));
}

/** A machine that is stuck deleting. */
export function aStuckMachine(cluster: TenantCluster, since: string): Machine {
  return {
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "Machine",
    metadata: {
      name: "shop-workers-x",
      namespace: tenantNamespaceOf(cluster),
      labels: { [labels.sourceName]: cluster.metadata.name },
      deletionTimestamp: since,
      finalizers: ["example.com/hold"],
    },
    spec: {
      clusterName: "shop",
      bootstrap: {},
      infrastructureRef: { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "LocalMachine", name: "x" },
    },
  };
}
