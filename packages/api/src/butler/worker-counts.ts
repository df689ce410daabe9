// Apart from the schema, for programs that show clusters and should not wait until it is built.

const defaultReplicas = 3;

/** The pool that `spec.workers` describes; no other may have its name. */
export const mainPoolName = "workers";

/** How many worker machines a cluster has that does not say so, and whose team does not either. */
export function effectiveReplicas(replicas: number | undefined): number {
  return replicas ?? defaultReplicas;
}
