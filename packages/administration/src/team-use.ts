import type { Team, TenantCluster } from "@butler/api";

/** The clusters of a team: those that reference it, and those in its namespace that reference no team. */
export function clustersOfTeam(
  { metadata: { name: team } }: Team,
  clusters: readonly TenantCluster[],
): TenantCluster[] {
  return clusters.filter(({ metadata, spec }) => (spec.teamRef?.name ?? metadata.namespace) === team);
}
