/** Group and version of the local provider's kinds in the Cluster API infrastructure group. */
export const infrastructureGroup = { group: "infrastructure.cluster.x-k8s.io", version: "v1alpha1" } as const;

/** The label with the Cluster API contract that the local provider's kinds implement. */
export const infrastructureContract = { "cluster.x-k8s.io/v1beta2": "v1alpha1" } as const;
