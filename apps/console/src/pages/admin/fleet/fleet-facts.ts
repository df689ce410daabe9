import type { BriefCluster } from "@butler/contract";
import type { Tone } from "@butler/ui";
import { clusterTone, clusterWord, phaseOf, versionOf, workersOf } from "../../../parts/cluster-facts.ts";

/** A value and the number of clusters that have it. */
export interface Share {
  readonly name: string;
  readonly count: number;
}

/** A cluster that needs attention. */
export interface ClusterProblem {
  readonly cluster: BriefCluster;
  readonly tone: Tone;
  readonly why: string;
}

/** The provider that a cluster refers to; empty for the default of the team or platform. */
export function providerOf({ spec }: BriefCluster): string {
  return spec.providerConfigRef?.name ?? "";
}

/** Number of clusters per value, most frequent first. */
export function sharesOf(
  clusters: readonly BriefCluster[],
  valueOf: (cluster: BriefCluster) => string,
): readonly Share[] {
  return [...Map.groupBy(clusters, valueOf)]
    .map(([name, some]) => ({ name, count: some.length }))
    .sort((left, right) => right.count - left.count || (left.name < right.name ? -1 : 1));
}

/** Totals of a fleet. */
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

/** How long a cluster may be in progress before it needs attention. */
const slowAfterMs = 30 * 60_000;

const order: readonly Tone[] = ["failed", "attention", "working"];

/** Clusters that need attention, worst first: failed, degraded, in progress for too long, or with nodes not ready. */
export function problemsOf(clusters: readonly BriefCluster[], now: Date): readonly ClusterProblem[] {
  return clusters
    .flatMap((cluster): ClusterProblem[] => {
      const problem = problemOf(cluster, now);
      return problem === undefined ? [] : [{ cluster, ...problem }];
    })
    .sort((left, right) => order.indexOf(left.tone) - order.indexOf(right.tone));
}

function problemOf(cluster: BriefCluster, now: Date): Pick<ClusterProblem, "tone" | "why"> | undefined {
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

/** The minor version of a cluster, for grouping. */
export function minorVersionOf(cluster: BriefCluster): string {
  return /^v\d+\.\d+/.exec(versionOf(cluster))?.[0] ?? versionOf(cluster);
}
