import type { Kind, KubeObject } from "@butler/resource";

/** Kubernetes' own Deployments. */
export const Deployment = {
  group: "apps",
  version: "v1",
  kind: "Deployment",
  plural: "deployments",
  scope: "Namespaced",
} as const satisfies Kind;

/** How many pods a Deployment has, and how they do. */
export interface DeploymentCounts {
  observedGeneration?: number | undefined;
  replicas?: number | undefined;
  updatedReplicas?: number | undefined;
  readyReplicas?: number | undefined;
  availableReplicas?: number | undefined;
  unavailableReplicas?: number | undefined;
}

/** A Deployment, as far as Steward states or reads it. */
export interface Deployment extends KubeObject {
  spec: {
    replicas?: number | undefined;
    template: { metadata?: { annotations?: Record<string, string> | undefined } | undefined; spec: PodSpec };
    [field: string]: unknown;
  };
  status?: DeploymentCounts | undefined;
}

/** The parts of a pod that Steward reads again after it has stated them. */
export interface PodSpec {
  containers: readonly ContainerShape[];
  initContainers?: readonly ContainerShape[] | undefined;
  volumes?: readonly NamedThing[] | undefined;
  [field: string]: unknown;
}

/** Something that is told apart by its name. */
export interface NamedThing {
  name: string;
  [field: string]: unknown;
}

/** A container, as far as Steward states or reads it. */
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
