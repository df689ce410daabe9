import { noUsage, sumUsage, type Usage, usageOf } from "@butler/access";
import { effectiveLimits } from "@butler/api";
import type { getTeamUsage, RouteAnswer } from "@butler/contract";
import { formatBinaryQuantity, formatDecimalQuantity, parseQuantity } from "@butler/std";
import { readableAmount } from "../../parts/amounts.ts";
import { type ClusterView, environmentOf, ownerOf } from "../../parts/cluster-facts.ts";
import type { TeamView } from "../../session/me.ts";

/** Usage of a team as the API returns it. */
export type TeamUsage = RouteAnswer<typeof getTeamUsage>;

/** A usage bar. */
export interface UsageBar {
  readonly label: string;
  /** Percent of the limit; undefined without a limit. */
  readonly percent: number | undefined;
  readonly words: string;
}

/** The usage bars of a team. Platform-wide limits are known only as a percentage. */
export function usageBars(usage: TeamUsage, limits: TeamView["resourceLimits"]): UsageBar[] {
  const own = limits === undefined ? undefined : effectiveLimits(limits);
  const bars = [
    ["Clusters", usage.clusters, own?.maxClusters, usage.percent.clusters],
    ["Worker nodes", usage.nodes, own?.maxTotalNodes, usage.percent.nodes],
    ["CPU cores", usage.cpu, own?.maxCPUCores, usage.percent.cpu],
    ["Memory", usage.memory, own?.maxMemory, usage.percent.memory],
    ["Disk", usage.storage, own?.maxStorage, usage.percent.storage],
  ] as const;
  return bars.map(([label, amount, limit, known]) => {
    if (known === undefined) return { label, percent: known, words: `${readableAmount(amount)}, no limit` };
    // The server's percentage is capped at 100; the display shows by how much the limit is exceeded.
    const percent = shareOf(amount, limit) ?? known;
    const of = limit === undefined ? "" : ` of ${readableAmount(limit)}`;
    return { label, percent, words: `${readableAmount(amount)}${of}, ${percent}%` };
  });
}

function shareOf(amount: number | string, limit: number | string | undefined): number | undefined {
  if (limit === undefined) return undefined;
  const [used, most] = [amount, limit].map((each) => Number(parseQuantity(String(each))));
  return used === undefined || most === undefined || !(most > 0) ? undefined : Math.round((used / most) * 100);
}

/** Usage of a group of clusters. */
export interface UsageShare {
  /** Environment, or email address of the owner; empty for clusters without one. */
  readonly name: string;
  /** For an environment: whether the team still defines it. */
  readonly isDefined: boolean;
  readonly usage: Usage;
  /** Cluster limit; undefined without a limit. */
  readonly maxClusters: number | undefined;
}

/** Usage by environment: those of the team in order, then clusters outside of them. */
export function usageByEnvironment(
  clusters: readonly ClusterView[],
  environments: TeamView["environments"],
): UsageShare[] {
  const found = Map.groupBy(clusters, environmentOf);
  const own = environments.map(({ name, limits }) => ({
    name,
    isDefined: true,
    usage: usageOfAll(found.get(name) ?? []),
    maxClusters: limits?.maxClusters === 0 ? undefined : limits?.maxClusters,
  }));
  const names = new Set(environments.map(({ name }) => name));
  const rest = [...found].filter(([name]) => !names.has(name)).sort(([left], [right]) => (left < right ? -1 : 1));
  return [
    ...own,
    ...rest.map(([name, some]) => ({ name, isDefined: false, usage: usageOfAll(some), maxClusters: undefined })),
  ];
}

/** Clusters of one owner in an environment with a limit per member. */
export interface MemberCap {
  readonly environment: string;
  readonly clusters: number;
  readonly maxClusters: number;
}

/** Usage of one owner, with the limits per member. */
export interface OwnerShare extends UsageShare {
  readonly caps: readonly MemberCap[];
}

/** Usage by owner, highest first. */
export function usageByOwner(clusters: readonly ClusterView[], environments: TeamView["environments"]): OwnerShare[] {
  const capped = environments.flatMap(({ name, limits }) =>
    limits?.maxClustersPerMember ? [{ environment: name, maxClusters: limits.maxClustersPerMember }] : [],
  );
  const byOwner = Map.groupBy(clusters, (cluster) => ownerOf(cluster).trim().toLowerCase());
  return [...byOwner]
    .map(([name, owned]) => ({
      name,
      isDefined: true,
      usage: usageOfAll(owned),
      maxClusters: undefined,
      caps: capped.flatMap(({ environment, maxClusters }) => {
        const count = owned.filter((cluster) => environmentOf(cluster) === environment).length;
        return count === 0 || name === "" ? [] : [{ environment, maxClusters, clusters: count }];
      }),
    }))
    .sort((left, right) => right.usage.clusters - left.usage.clusters || (left.name < right.name ? -1 : 1));
}

/** Amounts for display. */
export function usageWords({ nodes, cpuMilli, memoryBytes, storageBytes }: Usage) {
  return {
    nodes: String(nodes),
    cpu: formatDecimalQuantity(cpuMilli * 1_000_000n),
    memory: readableAmount(formatBinaryQuantity(memoryBytes * 1_000_000_000n)),
    storage: readableAmount(formatBinaryQuantity(storageBytes * 1_000_000_000n)),
  };
}

/** Changes when requested resources change, not with every status change. */
export function usageSignature(clusters: readonly ClusterView[]): string {
  return clusters
    .map(({ metadata: { namespace = "", name, generation = 0 } }) => `${namespace}/${name}@${generation}`)
    .sort()
    .join(" ");
}

function usageOfAll(clusters: readonly ClusterView[]): Usage {
  return clusters.length === 0 ? noUsage : sumUsage(clusters.map((cluster) => usageOf(cluster, undefined)));
}
