import type { TenantCluster } from "@butler/api";
import { keyOf, keyText } from "@butler/resource";

/** Teams that a cluster affects: the one it refers to, and the one whose namespace it is in. */
export function teamsConcerned({ metadata, spec }: TenantCluster): string[] {
  const names = [spec.teamRef?.name, metadata.namespace].filter((name) => name !== undefined);
  return [...new Set(names)];
}

/**
 * Whether a cluster counts against a team's limits: the team it refers to, or else the one whose namespace it is in.
 */
export function isClusterOf({ metadata, spec }: TenantCluster, team: string): boolean {
  return (spec.teamRef?.name ?? metadata.namespace) === team;
}

/** Clusters for a message, as namespace/name, sorted. */
export function clusterNames(clusters: readonly TenantCluster[]): string[] {
  return clusters.map((cluster) => keyText(keyOf(cluster))).sort();
}
