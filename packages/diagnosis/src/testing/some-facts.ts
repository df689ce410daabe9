import { TenantCluster } from "@butler/api";
import { type ContainerStatus, Machine, MachineDeployment, type Pod } from "@butler/api-external";
import {
  apiVersionOf,
  builtinKinds,
  type Condition,
  type DynamicObject,
  type Kind,
  type ObjectMeta,
  parseObject,
} from "@butler/resource";
import type { ClusterFacts, Warning } from "../facts.ts";

/** The current time in tests. */
export const now = new Date("2026-11-15T12:00:00Z");

/** The timestamp this many seconds before `now`. */
export function secondsAgo(seconds: number): string {
  return new Date(now.getTime() - seconds * 1000).toISOString();
}

/** A condition as text: `Type=Status Reason message`. */
export function condition(text: string): Condition {
  const [, type = "", status = "", reason = "", message = ""] = /^(\w+)=(\w+) (\w+) ?(.*)$/s.exec(text) ?? [];
  return { type, status: status as Condition["status"], reason, message, lastTransitionTime: secondsAgo(60) };
}

/** The fields of a cluster that a test sets. */
export interface ClusterTraits {
  readonly metadata?: Partial<ObjectMeta>;
  readonly spec?: Record<string, unknown>;
  readonly status?: Record<string, unknown>;
  readonly conditions?: readonly string[];
}

/** A cluster that is being created, as the API server would return it. */
export function aCluster({ metadata, spec, status, conditions = [] }: ClusterTraits = {}): TenantCluster {
  return parseObject(TenantCluster, {
    apiVersion: TenantCluster.apiVersion,
    kind: TenantCluster.kind,
    metadata: {
      name: "blue",
      namespace: "payments",
      uid: "0a1b2c3d-0000-0000-0000-000000000000",
      generation: 1,
      creationTimestamp: secondsAgo(300),
      ...metadata,
    },
    spec: {
      kubernetesVersion: "v1.36.3",
      teamRef: { name: "payments" },
      providerConfigRef: { name: "local" },
      workers: { replicas: 2, machineTemplate: { cpu: 4, memory: "8Gi", diskSize: "50Gi" } },
      ...spec,
    },
    status: {
      phase: "Provisioning",
      observedGeneration: 1,
      tenantNamespace: "blue-0a1b2c3d",
      workerNodesDesired: 2,
      workerNodesReady: 0,
      conditions: conditions.map(condition),
      ...status,
    },
  });
}

/** A cluster that is ready. */
export function aReadyCluster(traits: ClusterTraits = {}): TenantCluster {
  return aCluster({
    ...traits,
    status: { phase: "Ready", workerNodesReady: 2, controlPlaneEndpoint: "10.40.1.100:6443", ...traits.status },
    conditions: traits.conditions ?? ["Ready=True ClusterReady 2/2 nodes ready"],
  });
}

/** Facts about a cluster, empty unless given. */
export function someFacts(facts: Partial<ClusterFacts> = {}): ClusterFacts {
  return {
    now,
    cluster: aCluster(),
    provider: anObject(
      {
        group: "butler.butlerlabs.dev",
        version: "v1alpha1",
        kind: "ProviderConfig",
        plural: "providerconfigs",
        scope: "Namespaced",
      },
      { name: "local", namespace: "butler-system" },
      { spec: { provider: "local" } },
    ) as unknown as ClusterFacts["provider"],
    capiCluster: undefined,
    controlPlane: undefined,
    tenantControlPlane: undefined,
    dataStore: undefined,
    namespace: undefined,
    machineDeployments: [],
    machines: [],
    infrastructureMachines: [],
    pods: [],
    lastWords: {},
    warnings: [],
    unreadable: [],
    ...facts,
  };
}

/** An object of a kind in the cluster's own namespace. */
export function anObject(kind: Kind, metadata: Partial<ObjectMeta>, body: Record<string, unknown> = {}): DynamicObject {
  return {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: { name: "blue", namespace: "blue-0a1b2c3d", creationTimestamp: secondsAgo(240), ...metadata },
    ...body,
  };
}

/** The pool of workers. */
export function aDeployment(replicas = 2, body: Record<string, unknown> = {}): MachineDeployment {
  return anObject(
    MachineDeployment,
    { name: "blue-workers" },
    {
      spec: { clusterName: "blue", replicas, selector: {}, template: { spec: {} }, ...body },
      status: { readyReplicas: 0 },
    },
  ) as unknown as MachineDeployment;
}

/** A machine of the pool. */
export function aMachine(status: Record<string, unknown> = {}, metadata: Partial<ObjectMeta> = {}): Machine {
  return anObject(
    Machine,
    { name: "blue-workers-x7k2p", ...metadata },
    {
      spec: {
        clusterName: "blue",
        version: "v1.36.3",
        bootstrap: { dataSecretName: "blue-workers-x7k2p" },
        infrastructureRef: {
          apiGroup: "infrastructure.cluster.x-k8s.io",
          kind: "LocalMachine",
          name: "blue-workers-x7k2p",
        },
      },
      status: { phase: "Provisioning", ...status },
    },
  ) as unknown as Machine;
}

const localMachine: Kind = {
  group: "infrastructure.cluster.x-k8s.io",
  version: "v1alpha1",
  kind: "LocalMachine",
  plural: "localmachines",
  scope: "Namespaced",
};

/** The infrastructure machine. */
export function anInfrastructureMachine(
  status: Record<string, unknown> = {},
  metadata: Partial<ObjectMeta> = {},
): DynamicObject {
  return anObject(localMachine, { name: "blue-workers-x7k2p", ...metadata }, { spec: {}, status });
}

/** A pod; with a container unless its status says otherwise. */
export function aPod(name: string, status: Record<string, unknown> = {}, metadata: Partial<ObjectMeta> = {}): Pod {
  return anObject(
    builtinKinds.Pod,
    { name, ...metadata },
    {
      spec: { containers: [{ name: "main", image: "example.com/main:1" }], nodeName: "node-1" },
      status: { phase: "Running", ...status },
    },
  ) as unknown as Pod;
}

/** The status of a container. */
export function aContainerStatus(status: Partial<ContainerStatus>): ContainerStatus {
  return {
    name: "kube-apiserver",
    ready: false,
    restartCount: 0,
    image: "example.com/kube-apiserver:v1.36.3",
    ...status,
  };
}

/** A warning about an object of the cluster. */
export function aWarning(warning: Partial<Warning>): Warning {
  return {
    reason: "FailedCreate",
    message: "",
    object: { kind: "ReplicaSet", name: "blue-7d9f" },
    count: 1,
    lastSeen: secondsAgo(20),
    ...warning,
  };
}
