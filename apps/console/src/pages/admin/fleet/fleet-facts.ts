import type { BriefCluster } from "@butler/contract";
import type { Tone } from "@butler/ui";
import { clusterTone, clusterWord, phaseOf, versionOf, workersOf } from "../../../parts/cluster-facts.ts";

/** A value and how many clusters have it. */
export interface Share {
  readonly name: string;
  readonly count: number;
}

/** Something that somebody should look at. */
export interface Concern {
  readonly cluster: BriefCluster;
  readonly tone: Tone;
  readonly why: string;
}

/** The provider that a cluster names; empty when its team or the platform decides. */
export function providerOf({ spec }: BriefCluster): string {
  return spec.providerConfigRef?.name ?? "";
}

/** How many clusters have each value, the most frequent first. */
export function sharesOf(
  clusters: readonly BriefCluster[],
  valueOf: (cluster: BriefCluster) => string,
): readonly Share[] {
  return [...Map.groupBy(clusters, valueOf)]
    .map(([name, some]) => ({ name, count: some.length }))
    .sort((left, right) => right.count - left.count || (left.name < right.name ? -1 : 1));
}

/** The numbers of a fleet. */
export function fleetNumbers(clusters: readonly BriefCluster[]) {
  const workers = clusters.map(workersOf);
  return {
    clusters: clusters.length,
    ready: clusters.filter((cluster) => clusterTone(cluster) === "ready").length,
    nodesReady: workers.reduce((sum, { ready }) => sum + ready, 0),
    nodesWanted: workers.reduce((sum, { wanted }) => sum + wanted, 0),
    teams: new Set(clusters.map(({ spec, metadata }) => spec.teamRef?.name ?? metadata.namespace)).size,
  };
}

/** How long a cluster may be on its way before somebody should look. */
const slowAfterMs = 30 * 60_000;

const order: readonly Tone[] = ["failed", "attention", "working"];

/** What needs attention, the worst first: failed, not well, on the way for too long, or with nodes missing. */
export function concernsOf(clusters: readonly BriefCluster[], now: Date): readonly Concern[] {
  return clusters
    .flatMap((cluster): Concern[] => {
      const concern = concernOf(cluster, now);
      return concern === undefined ? [] : [{ cluster, ...concern }];
    })
    .sort((left, right) => order.indexOf(left.tone) - order.indexOf(right.tone));
}

function concernOf(cluster: BriefCluster, now: Date): Pick<Concern, "tone" | "why"> | undefined {
  const tone = clusterTone(cluster);
  if (tone === "failed" || tone === "attention") return { tone, why: complaintOf(cluster) };
  if (tone === "working") {
    const isSlow = now.getTime() - changedAt(cluster) > slowAfterMs;
    return isSlow ? { tone: "attention", why: `${phaseOf(cluster)} for more than 30 minutes` } : undefined;
  }
  const { ready, wanted } = workersOf(cluster);
  return tone === "ready" && ready < wanted
    ? { tone: "attention", why: `${wanted - ready} of ${wanted} nodes are not ready` }
    : undefined;
}

function complaintOf(cluster: BriefCluster): string {
  const ready = cluster.status?.conditions?.find(({ type, status }) => type === "Ready" && status === "False");
  return ready?.message ?? clusterWord(cluster);
}

function changedAt({ metadata, status }: BriefCluster): number {
  return Date.parse(status?.lastTransitionTime ?? metadata.creationTimestamp ?? "");
}

/** The version without its patch: what runs together, and what is left behind, shows by minor versions. */
export function minorVersionOf(cluster: BriefCluster): string {
  return /^v\d+\.\d+/.exec(versionOf(cluster))?.[0] ?? versionOf(cluster);
}
