import { annotations, clusterState, labels, type TenantCluster, type Tone } from "@butler/api";
import type { BriefCluster, getCluster, RouteAnswer } from "@butler/contract";

export { clusterPhase as phaseOf } from "@butler/api";

/** A cluster as the server shows it. */
export type ClusterView = Omit<RouteAnswer<typeof getCluster>, "status"> & Pick<TenantCluster, "status">;

/** The tone in which a cluster is shown. */
export const clusterTone = (cluster: BriefCluster): Tone => clusterState(cluster).tone;

/** How a cluster is, in a word. */
export const clusterWord = (cluster: BriefCluster): string => clusterState(cluster).word;

/** The Kubernetes version that runs, or is asked for while none does. */
export function versionOf({ spec, status }: BriefCluster): string {
  return status?.observedState?.kubernetesVersion ?? spec.kubernetesVersion ?? "";
}

/** Worker nodes of all pools together. */
export function workersOf({ spec, status }: BriefCluster): { readonly ready: number; readonly wanted: number } {
  const pools = (spec.workerPools ?? []).reduce((sum, { replicas }) => sum + replicas, 0);
  return {
    ready: status?.workerNodesReady ?? 0,
    wanted: status?.workerNodesDesired ?? (spec.workers.replicas ?? 0) + pools,
  };
}

/** The environment of its team that a cluster is in; empty when in none. */
export function environmentOf({ metadata }: BriefCluster): string {
  return metadata.labels?.[labels.environment] ?? "";
}

/** Whose cluster it is; empty when nobody's in particular. */
export function ownerOf({ metadata }: BriefCluster): string {
  return metadata.annotations?.[annotations.owner] ?? metadata.annotations?.[annotations.creatorEmail] ?? "";
}

/** What people have written about it; empty when nothing. */
export function descriptionOf({ metadata }: ClusterView): string {
  return metadata.annotations?.[annotations.description] ?? "";
}

/** The team that a cluster belongs to. */
export function teamOf({ metadata, spec }: BriefCluster): string {
  return spec.teamRef?.name ?? metadata.namespace ?? "";
}
