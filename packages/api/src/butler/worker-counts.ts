// Separate from the schema, for programs that display clusters without building it.

const defaultReplicas = 3;

/** Name of the pool in `spec.workers`; reserved. */
export const mainPoolName = "workers";

/** Number of worker machines of a cluster if neither the cluster nor its team sets it. */
export function effectiveReplicas(replicas: number | undefined): number {
  return replicas ?? defaultReplicas;
}
