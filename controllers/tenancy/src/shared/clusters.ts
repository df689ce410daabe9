import type { TenantCluster } from "@butler/api";
import { keyOf, keyText } from "@butler/resource";

/** Teams that a cluster concerns: the one it names, and the one whose namespace it is in. */
export function teamsConcerned({ metadata, spec }: TenantCluster): string[] {
  const names = [spec.teamRef?.name, metadata.namespace].filter((name) => name !== undefined);
  return [...new Set(names)];
}

/** The team whose limits a cluster counts against: the one it names, and else the one whose namespace it is in. */
export function isClusterOf({ metadata, spec }: TenantCluster, team: string): boolean {
  return (spec.teamRef?.name ?? metadata.namespace) === team;
}

/** Clusters for a message, as namespace/name and in order. */
export function clusterNames(clusters: readonly TenantCluster[]): string[] {
  return clusters.map((cluster) => keyText(keyOf(cluster))).sort();
}
