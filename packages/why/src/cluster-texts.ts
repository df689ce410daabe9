import { effectiveReplicas, mainPoolName, type TenantCluster } from "@butler/api";

/** A pool of worker machines as the spec asks for it. */
export interface PoolSize {
  readonly name: string;
  readonly replicas: number;
}

/** Every pool that the spec asks for, the main one first. */
export function poolSizes({ spec }: TenantCluster): PoolSize[] {
  const further = (spec.workerPools ?? []).map(({ name, replicas }) => ({ name, replicas }));
  return [{ name: mainPoolName, replicas: effectiveReplicas(spec.workers.replicas) }, ...further];
}

/** How many worker machines the spec asks for, over all pools. */
export function wantedWorkers(cluster: TenantCluster): number {
  return poolSizes(cluster).reduce((sum, { replicas }) => sum + replicas, 0);
}

/** Worker nodes that are ready, of those that should be there. */
export function workersText(cluster: TenantCluster): string {
  const desired = cluster.status?.workerNodesDesired ?? wantedWorkers(cluster);
  return `${cluster.status?.workerNodesReady ?? 0}/${desired}`;
}
