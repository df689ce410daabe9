// Separate from the schema, for programs that display clusters without building it.

const defaultReplicas = 3;

/** Name of the pool in `spec.workers`; reserved. */
export const mainPoolName = "workers";

/** Number of worker machines of a cluster if neither the cluster nor its team sets it. */
export function effectiveReplicas(replicas: number | undefined): number {
  return replicas ?? defaultReplicas;
}

/** Largest number of worker machines of a pool that the clients accept. */
export const maximumPoolSize = 10_000;

/** The sizes of all pools in the spec of a cluster. */
export interface PoolCounts {
  readonly workers: { readonly replicas?: number | undefined };
  readonly workerPools?: readonly PoolSize[] | undefined;
}

/** A pool of worker machines as specified. */
export interface PoolSize {
  readonly name: string;
  readonly replicas: number;
}

/** Every pool in the spec, the main one first. */
export function poolSizes({ workers, workerPools = [] }: PoolCounts): PoolSize[] {
  const further = workerPools.map(({ name, replicas }) => ({ name, replicas }));
  return [{ name: mainPoolName, replicas: effectiveReplicas(workers.replicas) }, ...further];
}

/** Number of worker machines in the spec, over all pools. */
export function wantedWorkers(spec: PoolCounts): number {
  return poolSizes(spec).reduce((sum, { replicas }) => sum + replicas, 0);
}
