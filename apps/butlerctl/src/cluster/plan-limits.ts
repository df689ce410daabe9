import { type Claim, judgeQuota, limitsOf, type QuotaInput, type QuotaRule, sumUsage, usageOf } from "@butler/access";
import {
  annotations,
  type ButlerConfig,
  labels,
  type ProviderConfig,
  type Team,
  type TenantCluster,
} from "@butler/api";
import { keyText } from "@butler/resource";
import { formatBinaryQuantity, formatDecimalQuantity } from "@butler/std";
import { providerKey } from "@butler/diagnosis";

/** The objects that define limits. Undefined when an object does not exist or cannot be read. */
export interface LimitFacts {
  readonly team: Team | undefined;
  readonly config: ButlerConfig | undefined;
  readonly provider: ProviderConfig | undefined;
  /** The other clusters that count against the same limits. */
  readonly others: readonly TenantCluster[];
}

/** One limit, and how much of it a new cluster uses. */
export interface LimitRow {
  readonly limit: string;
  readonly used: string;
  readonly asked: string;
  /** The limit itself; undefined when there is none. */
  readonly maximum: string | undefined;
  readonly isExceeded: boolean;
}

/** Every limit that applies to a new cluster, and those it would exceed. */
export interface LimitTable {
  readonly rows: readonly LimitRow[];
  readonly refusals: readonly string[];
}

/** Calculates how much of each limit a new cluster uses. */
export function planLimits(cluster: TenantCluster, { team, config, provider, others }: LimitFacts): LimitTable {
  const after = claimOf(cluster, config);
  const input: QuotaInput = {
    team: team?.metadata.name ?? "(none)",
    limits: team === undefined ? {} : limitsOf(team, config),
    environmentLimits: team?.spec.environments?.find(({ name }) => name === after.environment)?.limits,
    providerLimits: provider?.spec.limits ?? {},
    others: others.map((other) => claimOf(other, config)),
    after,
  };
  const refusals = judgeQuota(input);
  const exceeded = new Set(refusals.map(({ rule }) => rule));
  const measures = [...teamMeasures(input), ...environmentMeasures(input), ...providerMeasures(input)];
  const rows = measures
    // The usage of a team is shown even without a limit.
    .filter(({ rule, maximum }) => maximum !== undefined || (team !== undefined && isOfTeam(rule)))
    .map(({ rule, limit, used, asked, maximum, format }) => ({
      limit,
      used: format(used),
      asked: format(asked),
      maximum: maximum === undefined ? undefined : format(maximum),
      isExceeded: exceeded.has(rule),
    }));
  return { rows, refusals: refusals.map(({ message }) => message) };
}

interface Measure {
  readonly rule: QuotaRule;
  readonly limit: string;
  readonly used: bigint;
  readonly asked: bigint;
  readonly maximum: bigint | undefined;
  readonly format: (amount: bigint) => string;
}

function isOfTeam(rule: QuotaRule): boolean {
  return rule.startsWith("team.") && rule !== "team.maxNodesPerCluster";
}

function teamMeasures({ limits, others, after: { usage } }: QuotaInput): Measure[] {
  const used = sumUsage(others.map((other) => other.usage));
  const amount = (key: "cpuMilli" | "memoryBytes" | "storageBytes") => ({
    used: used[key],
    asked: usage[key],
    maximum: limits[key],
    format: key === "cpuMilli" ? cores : bytes,
  });
  return [
    { rule: "team.maxClusters", limit: "team clusters", ...count(limits.clusters, used.clusters, 1) },
    {
      rule: "team.maxNodesPerCluster",
      limit: "workers per cluster",
      ...count(limits.nodesPerCluster, 0, usage.nodes),
    },
    { rule: "team.maxTotalNodes", limit: "team workers", ...count(limits.nodes, used.nodes, usage.nodes) },
    { rule: "team.maxCPUCores", limit: "team CPU cores", ...amount("cpuMilli") },
    { rule: "team.maxMemory", limit: "team memory", ...amount("memoryBytes") },
    { rule: "team.maxStorage", limit: "team disk space", ...amount("storageBytes") },
  ];
}

function environmentMeasures({ environmentLimits, others, after }: QuotaInput): Measure[] {
  const { environment, owner } = after;
  if (environment === undefined) return [];
  const there = others.filter((other) => other.environment === environment);
  const own = there.filter((other) => other.owner !== undefined && other.owner === owner);
  return [
    {
      rule: "environment.maxClusters",
      limit: `clusters in environment ${environment}`,
      ...count(environmentLimits?.maxClusters || undefined, there.length, 1),
    },
    {
      rule: "environment.maxClustersPerMember",
      limit: `your clusters in environment ${environment}`,
      ...count(environmentLimits?.maxClustersPerMember || undefined, own.length, 1),
    },
  ];
}

function providerMeasures({ providerLimits, others, after: { provider, usage } }: QuotaInput): Measure[] {
  if (provider === undefined) return [];
  const used = sumUsage(others.filter((other) => other.provider === provider).map((other) => other.usage));
  return [
    {
      rule: "provider.maxClustersPerTeam",
      limit: `the team's clusters on ${provider}`,
      ...count(providerLimits?.maxClustersPerTeam, used.clusters, 1),
    },
    {
      rule: "provider.maxNodesPerTeam",
      limit: `the team's workers on ${provider}`,
      ...count(providerLimits?.maxNodesPerTeam, used.nodes, usage.nodes),
    },
  ];
}

function count(maximum: number | undefined, used: number, asked: number): Omit<Measure, "rule" | "limit"> {
  return {
    used: BigInt(used),
    asked: BigInt(asked),
    maximum: maximum === undefined ? undefined : BigInt(maximum),
    format: String,
  };
}

function cores(milli: bigint): string {
  return formatDecimalQuantity(milli * 1_000_000n);
}

function bytes(amount: bigint): string {
  return formatBinaryQuantity(amount * 1_000_000_000n);
}

function claimOf(cluster: TenantCluster, config: ButlerConfig | undefined): Claim {
  const notes = cluster.metadata.annotations ?? {};
  const provider = providerKey(cluster);
  return {
    usage: usageOf(cluster, config),
    environment: cluster.metadata.labels?.[labels.environment],
    owner: notes[annotations.owner] ?? notes[annotations.creatorEmail],
    provider: provider && keyText(provider),
  };
}
