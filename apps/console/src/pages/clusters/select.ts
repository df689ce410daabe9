import type { BriefCluster } from "@butler/contract";
import { clusterWord, environmentOf, ownerOf, phaseOf, teamOf, versionOf } from "../../parts/cluster-facts.ts";

/** What is wanted of a list of clusters. */
export interface Selection {
  readonly q?: string | undefined;
  readonly phase?: string | undefined;
  readonly env?: string | undefined;
}

const texts = new WeakMap<BriefCluster, string>();

/** The text that a cluster is found by. Objects that did not change are the same ones, so it is made once for each. */
function textOf(cluster: BriefCluster): string {
  const known = texts.get(cluster);
  if (known !== undefined) return known;
  const { name, namespace = "" } = cluster.metadata;
  const parts = [
    name,
    namespace,
    teamOf(cluster),
    environmentOf(cluster),
    clusterWord(cluster),
    versionOf(cluster),
    ownerOf(cluster),
  ];
  const made = parts.join(" ").toLowerCase();
  texts.set(cluster, made);
  return made;
}

/** Clusters in which every word occurs, in the phase and the environment that are wanted. */
export function selectClusters(clusters: readonly BriefCluster[], { q = "", phase, env }: Selection): BriefCluster[] {
  const words = q
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  return clusters.filter((cluster) => {
    if (phase !== undefined && phaseOf(cluster) !== phase) return false;
    if (env !== undefined && environmentOf(cluster) !== env) return false;
    const text = words.length === 0 ? "" : textOf(cluster);
    return words.every((word) => text.includes(word));
  });
}

/** How many clusters are in each phase, in the order of the alphabet. */
export function phaseCounts(clusters: readonly BriefCluster[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const cluster of clusters) counts.set(phaseOf(cluster), (counts.get(phaseOf(cluster)) ?? 0) + 1);
  return [...counts].sort(([left], [right]) => (left < right ? -1 : 1));
}
