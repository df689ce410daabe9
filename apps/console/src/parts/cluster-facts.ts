import { annotations, labels, type TenantCluster } from "@butler/api";
import type { BriefCluster, getCluster, RouteAnswer } from "@butler/contract";
import type { Tone } from "@butler/ui";

/** A cluster as the server shows it. */
export type ClusterView = Omit<RouteAnswer<typeof getCluster>, "status"> & Pick<TenantCluster, "status">;

/** Where a cluster is in its life. */
export function phaseOf({ metadata, status }: BriefCluster): string {
  return metadata.deletionTimestamp === undefined ? (status?.phase ?? "Pending") : "Deleting";
}

const tones: Readonly<Record<string, Tone>> = {
  Pending: "working",
  Provisioning: "working",
  Installing: "working",
  Updating: "working",
  Deleting: "working",
  Ready: "ready",
  Failed: "failed",
};

/** How a cluster is. One that is ready by its phase, but says that something is wrong, needs attention. */
export function clusterTone(cluster: BriefCluster): Tone {
  if (cluster.spec.paused) return "asleep";
  const phase = phaseOf(cluster);
  const isUnwell = cluster.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "False");
  return phase === "Ready" && isUnwell === true ? "attention" : (tones[phase] ?? "unknown");
}

/** How a cluster is, in a word. */
export function clusterWord(cluster: BriefCluster): string {
  if (cluster.spec.paused) return "Paused";
  return clusterTone(cluster) === "attention" ? "Not well" : phaseOf(cluster);
}

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
