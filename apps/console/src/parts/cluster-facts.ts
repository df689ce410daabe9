import { annotations, clusterState, labels, type TenantCluster, type Tone, wantedWorkers } from "@butler/api";
import type { BriefCluster, getCluster, RouteAnswer } from "@butler/contract";

export { clusterPhase as phaseOf } from "@butler/api";

/** A cluster as the API returns it. */
export type ClusterView = Omit<RouteAnswer<typeof getCluster>, "status"> & Pick<TenantCluster, "status">;

/** Tone of a cluster. */
export const clusterTone = (cluster: BriefCluster): Tone => clusterState(cluster).tone;

/** State of a cluster as a word. */
export const clusterWord = (cluster: BriefCluster): string => clusterState(cluster).word;

/** The running Kubernetes version, or the requested one before it runs. */
export function versionOf({ spec, status }: BriefCluster): string {
  return status?.observedState?.kubernetesVersion ?? spec.kubernetesVersion ?? "";
}

/** Worker nodes of all pools. */
export function workersOf({ spec, status }: BriefCluster): { readonly ready: number; readonly wanted: number } {
  return {
    ready: status?.workerNodesReady ?? 0,
    wanted: status?.workerNodesDesired ?? wantedWorkers(spec),
  };
}

/** The environment of a cluster; empty if none. */
export function environmentOf({ metadata }: BriefCluster): string {
  return metadata.labels?.[labels.environment] ?? "";
}

/** Owner of a cluster; empty if none. */
export function ownerOf({ metadata }: BriefCluster): string {
  return metadata.annotations?.[annotations.owner] ?? metadata.annotations?.[annotations.creatorEmail] ?? "";
}

/** Description of a cluster; empty if none. */
export function descriptionOf({ metadata }: ClusterView): string {
  return metadata.annotations?.[annotations.description] ?? "";
}

/** The team that a cluster belongs to. */
export function teamOf({ metadata, spec }: BriefCluster): string {
  return spec.teamRef?.name ?? metadata.namespace ?? "";
}
