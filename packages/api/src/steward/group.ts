/** Names of the `steward.butlerlabs.dev` API group that every kind in it shares. */
export const stewardGroup = { group: "steward.butlerlabs.dev", version: "v1alpha1" } as const;

/** Names of the Cluster API control-plane group as far as Steward's kinds use it. */
export const controlPlaneGroup = { group: "controlplane.cluster.x-k8s.io", version: "v1alpha1" } as const;

/** Labels that tell Cluster API which of its contracts the control-plane kinds keep. */
export const controlPlaneContracts = {
  "cluster.x-k8s.io/v1beta1": "v1alpha1",
  "cluster.x-k8s.io/v1beta2": "v1alpha1",
} as const;
