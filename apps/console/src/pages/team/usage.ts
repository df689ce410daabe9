import { noUsage, sumUsage, type Usage, usageOf } from "@butler/access";
import { effectiveLimits } from "@butler/api";
import type { getTeamUsage, RouteAnswer } from "@butler/contract";
import { formatBinaryQuantity, formatDecimalQuantity, parseQuantity } from "@butler/std";
import { readableAmount } from "../../parts/amounts.ts";
import { type ClusterView, environmentOf, ownerOf } from "../../parts/cluster-facts.ts";
import type { TeamView } from "../../session/me.ts";

/** What a team uses as the server has worked it out. */
export type TeamUsage = RouteAnswer<typeof getTeamUsage>;

/** One bar of what a team uses. */
export interface UsageBar {
  readonly label: string;
  /** Percent of the limit; undefined where there is none. */
  readonly percent: number | undefined;
  readonly words: string;
}

/** The bars of a team. Limits that are the platform's for every team are known by their percent only. */
export function usageBars(usage: TeamUsage, limits: TeamView["resourceLimits"]): UsageBar[] {
  const own = limits === undefined ? undefined : effectiveLimits(limits);
  const bars = [
    ["Clusters", usage.clusters, own?.maxClusters, usage.percent.clusters],
    ["Worker machines", usage.nodes, own?.maxTotalNodes, usage.percent.nodes],
    ["CPU cores", usage.cpu, own?.maxCPUCores, usage.percent.cpu],
    ["Memory", usage.memory, own?.maxMemory, usage.percent.memory],
    ["Disk", usage.storage, own?.maxStorage, usage.percent.storage],
  ] as const;
  return bars.map(([label, amount, limit, known]) => {
    if (known === undefined) return { label, percent: known, words: `${readableAmount(amount)}, no limit` };
    // The server's percent ends at 100; people want to know by how much they are beyond.
    const percent = shareOf(amount, limit) ?? known;
    const of = limit === undefined ? "" : ` of ${readableAmount(limit)}`;
    return { label, percent, words: `${readableAmount(amount)}${of}, ${percent} %` };
  });
}

function shareOf(amount: number | string, limit: number | string | undefined): number | undefined {
  if (limit === undefined) return undefined;
  const [used, most] = [amount, limit].map((each) => Number(parseQuantity(String(each))));
  return used === undefined || most === undefined || !(most > 0) ? undefined : Math.round((used / most) * 100);
}

/** What clusters that belong together take up. */
export interface UsageShare {
  /** The environment, or the address of the owner; empty for clusters without one. */
  readonly name: string;
  /** For an environment: whether the team still defines it. */
  readonly isDefined: boolean;
  readonly usage: Usage;
  /** Most clusters; undefined where there is no limit. */
  readonly maxClusters: number | undefined;
}

/** What each environment takes up: those of the team in its order, then what is in none of them. */
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

/** What one owner has in an environment with a limit for each member. */
export interface MemberCap {
  readonly environment: string;
  readonly clusters: number;
  readonly maxClusters: number;
}

/** What one owner takes up, and how far each limit for members is used. */
export interface OwnerShare extends UsageShare {
  readonly caps: readonly MemberCap[];
}

/** What each owner takes up, who takes most first. */
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

/** Amounts for people. */
export function usageWords({ nodes, cpuMilli, memoryBytes, storageBytes }: Usage) {
  return {
    nodes: String(nodes),
    cpu: formatDecimalQuantity(cpuMilli * 1_000_000n),
    memory: readableAmount(formatBinaryQuantity(memoryBytes * 1_000_000_000n)),
    storage: readableAmount(formatBinaryQuantity(storageBytes * 1_000_000_000n)),
  };
}

/** Changes whenever clusters take up something else, and not with every change of their state. */
export function usageSignature(clusters: readonly ClusterView[]): string {
  return clusters
    .map(({ metadata: { namespace = "", name, generation = 0 } }) => `${namespace}/${name}@${generation}`)
    .sort()
    .join(" ");
}

function usageOfAll(clusters: readonly ClusterView[]): Usage {
  return clusters.length === 0 ? noUsage : sumUsage(clusters.map(usageOf));
}
