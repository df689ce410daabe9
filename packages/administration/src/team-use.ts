import type { Team, TenantCluster } from "@butler/api";

/** The clusters that count as a team's: those that name it, and those in its namespace that name none. */
export function clustersOfTeam(
  { metadata: { name: team } }: Team,
  clusters: readonly TenantCluster[],
): TenantCluster[] {
  return clusters.filter(({ metadata, spec }) => (spec.teamRef?.name ?? metadata.namespace) === team);
}
