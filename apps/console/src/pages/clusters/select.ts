import type { BriefCluster } from "@butler/contract";
import { clusterWord, environmentOf, ownerOf, phaseOf, teamOf, versionOf } from "../../parts/cluster-facts.ts";

/** Filter of a cluster list. */
export interface Selection {
  readonly q?: string | undefined;
  readonly phase?: string | undefined;
  readonly env?: string | undefined;
}

const texts = new WeakMap<BriefCluster, string>();

/** Search text of a cluster, cached per object because unchanged objects keep their identity. */
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

/** Clusters that contain every word and match phase and environment. */
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

/** Number of clusters per phase, in alphabetical order. */
export function phaseCounts(clusters: readonly BriefCluster[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const cluster of clusters) counts.set(phaseOf(cluster), (counts.get(phaseOf(cluster)) ?? 0) + 1);
  return [...counts].sort(([left], [right]) => (left < right ? -1 : 1));
}
