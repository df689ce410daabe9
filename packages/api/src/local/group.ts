/** Names of the Cluster API infrastructure group as far as the local provider's kinds use it. */
export const infrastructureGroup = { group: "infrastructure.cluster.x-k8s.io", version: "v1alpha1" } as const;

/** The label that tells Cluster API which of its contracts the local provider's kinds keep. */
export const infrastructureContract = { "cluster.x-k8s.io/v1beta2": "v1alpha1" } as const;
