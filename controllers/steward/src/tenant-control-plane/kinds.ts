import type { Kind, KubeObject } from "@butler/resource";

/** Kubernetes' own Deployments. */
export const Deployment = {
  group: "apps",
  version: "v1",
  kind: "Deployment",
  plural: "deployments",
  scope: "Namespaced",
} as const satisfies Kind;

/** The pod counts of a Deployment. */
export interface DeploymentCounts {
  observedGeneration?: number | undefined;
  replicas?: number | undefined;
  updatedReplicas?: number | undefined;
  readyReplicas?: number | undefined;
  availableReplicas?: number | undefined;
  unavailableReplicas?: number | undefined;
}

/** The fields of a Deployment that Steward sets or reads. */
export interface Deployment extends KubeObject {
  spec: {
    replicas?: number | undefined;
    template: { metadata?: { annotations?: Record<string, string> | undefined } | undefined; spec: PodSpec };
    [field: string]: unknown;
  };
  status?: DeploymentCounts | undefined;
}

/** The parts of a pod that Steward sets and reads. */
export interface PodSpec {
  containers: readonly ContainerShape[];
  initContainers?: readonly ContainerShape[] | undefined;
  volumes?: readonly NamedThing[] | undefined;
  [field: string]: unknown;
}

/** A list entry that is identified by its name. */
export interface NamedThing {
  name: string;
  [field: string]: unknown;
}

/** The fields of a container that Steward sets or reads. */
export interface ContainerShape extends NamedThing {
  image?: string | undefined;
  args?: readonly string[] | undefined;
}

/** Kubernetes' own PodDisruptionBudgets. */
export const PodDisruptionBudget = {
  group: "policy",
  version: "v1",
  kind: "PodDisruptionBudget",
  plural: "poddisruptionbudgets",
  scope: "Namespaced",
} as const satisfies Kind;

/** Kubernetes' own NetworkPolicies. */
export const NetworkPolicy = {
  group: "networking.k8s.io",
  version: "v1",
  kind: "NetworkPolicy",
  plural: "networkpolicies",
  scope: "Namespaced",
} as const satisfies Kind;
