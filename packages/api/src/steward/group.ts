/** Names of the `steward.butlerlabs.dev` API group that every kind in it shares. */
export const stewardGroup = { group: "steward.butlerlabs.dev", version: "v1alpha1" } as const;

/** Group and version of Steward's kinds in the Cluster API control plane group. */
export const controlPlaneGroup = { group: "controlplane.cluster.x-k8s.io", version: "v1alpha1" } as const;

/** Labels with the Cluster API contracts that the control plane kinds implement. */
export const controlPlaneContracts = {
  "cluster.x-k8s.io/v1beta1": "v1alpha1",
  "cluster.x-k8s.io/v1beta2": "v1alpha1",
} as const;
