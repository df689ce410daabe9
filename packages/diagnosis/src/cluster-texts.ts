import { effectiveReplicas, mainPoolName, type TenantCluster } from "@butler/api";

/** A pool of worker machines as specified. */
export interface PoolSize {
  readonly name: string;
  readonly replicas: number;
}

/** Every pool in the spec, the main one first. */
export function poolSizes({ spec }: TenantCluster): PoolSize[] {
  const further = (spec.workerPools ?? []).map(({ name, replicas }) => ({ name, replicas }));
  return [{ name: mainPoolName, replicas: effectiveReplicas(spec.workers.replicas) }, ...further];
}

/** Number of worker machines in the spec, over all pools. */
export function wantedWorkers(cluster: TenantCluster): number {
  return poolSizes(cluster).reduce((sum, { replicas }) => sum + replicas, 0);
}

/** Ready worker nodes of desired ones, such as `1/2`. */
export function workersText(cluster: TenantCluster): string {
  const desired = cluster.status?.workerNodesDesired ?? wantedWorkers(cluster);
  return `${cluster.status?.workerNodesReady ?? 0}/${desired}`;
}
