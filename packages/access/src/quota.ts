import { formatBinaryQuantity, formatDecimalQuantity } from "@butler/std";
import { isSameEmail } from "./person.ts";
import type { EnvironmentLimits, Limits } from "./limits.ts";
import { growthOf, noUsage, sumUsage, type Usage } from "./usage.ts";

/** The quota rules, in order of evaluation. */
export type QuotaRule =
  | "team.maxNodesPerCluster"
  | "team.maxClusters"
  | "team.maxTotalNodes"
  | "team.maxCPUCores"
  | "team.maxMemory"
  | "team.maxStorage"
  | "environment.maxClusters"
  | "environment.maxClustersPerMember"
  | "provider.maxClustersPerTeam"
  | "provider.maxNodesPerTeam";

/** A quota violation, with human-readable amounts. */
export interface Refusal {
  readonly rule: QuotaRule;
  readonly limit: string;
  readonly used: string;
  /** The additional amount. */
  readonly asked: string;
  readonly message: string;
}

/** One cluster as quota sees it. */
export interface Claim {
  readonly usage: Usage;
  readonly environment?: string | undefined;
  /** Email address of the owner. */
  readonly owner?: string | undefined;
  /** The ProviderConfig, as namespace/name. */
  readonly provider?: string | undefined;
}

/** Input of a quota decision. */
export interface QuotaInput {
  /** For messages. */
  readonly team: string;
  readonly limits: Limits;
  readonly environmentLimits?: EnvironmentLimits | undefined;
  readonly providerLimits?: {
    readonly maxClustersPerTeam?: number | undefined;
    readonly maxNodesPerTeam?: number | undefined;
  };
  /** Every other cluster of the team. */
  readonly others: readonly Claim[];
  /** The cluster as it is; undefined when it is new. */
  readonly before?: Claim | undefined;
  readonly after: Claim;
}

/**
 * All limits that a cluster would exceed: the team's, then its environment's, then its owner's, then the provider's.
 * Only growth is judged, so that a limit lowered below the current usage does not block shrinking, repairing or
 * deleting.
 */
export function judgeQuota(input: QuotaInput): Refusal[] {
  return [...teamRefusals(input), ...environmentRefusals(input), ...providerRefusals(input)];
}

interface Check {
  readonly rule: QuotaRule;
  readonly limit: bigint | undefined;
  readonly used: bigint;
  readonly asked: bigint;
  readonly format?: (amount: bigint) => string;
  /** The owner of the limit: the beginning of the message. */
  readonly subject: string;
}

function refusalsOf(checks: readonly Check[]): Refusal[] {
  return checks
    .filter(({ limit, used, asked }) => limit !== undefined && asked > 0n && used + asked > limit)
    .map(({ rule, limit = 0n, used, asked, subject, format = String }) => {
      const amounts = { limit: format(limit), used: format(used), asked: format(asked) };
      const field = rule.slice(rule.indexOf(".") + 1);
      const message =
        `${subject}: ${field} is ${amounts.limit}, ${amounts.used} in use, ${amounts.asked} more requested; ` +
        "reduce usage or request a higher limit";
      return { rule, ...amounts, message };
    });
}

function teamRefusals({ team, limits, others, before, after }: QuotaInput): Refusal[] {
  const own = before?.usage ?? noUsage;
  const used = sumUsage([...others.map(({ usage }) => usage), own]);
  const asked = growthOf(own, after.usage);
  const cpu = (milli: bigint): string => formatDecimalQuantity(milli * 1_000_000n);
  const bytes = (amount: bigint): string => formatBinaryQuantity(amount * 1_000_000_000n);
  const subject = `team ${team}`;
  return refusalsOf([
    {
      rule: "team.maxNodesPerCluster",
      subject: `one cluster of team ${team}`,
      ...counts({ limit: limits.nodesPerCluster, used: own.nodes, asked: asked.nodes }),
    },
    {
      rule: "team.maxClusters",
      subject,
      ...counts({ limit: limits.clusters, used: used.clusters, asked: asked.clusters }),
    },
    { rule: "team.maxTotalNodes", subject, ...counts({ limit: limits.nodes, used: used.nodes, asked: asked.nodes }) },
    {
      rule: "team.maxCPUCores",
      subject,
      limit: limits.cpuMilli,
      used: used.cpuMilli,
      asked: asked.cpuMilli,
      format: cpu,
    },
    {
      rule: "team.maxMemory",
      subject,
      limit: limits.memoryBytes,
      used: used.memoryBytes,
      asked: asked.memoryBytes,
      format: bytes,
    },
    {
      rule: "team.maxStorage",
      subject,
      limit: limits.storageBytes,
      used: used.storageBytes,
      asked: asked.storageBytes,
      format: bytes,
    },
  ]);
}

function environmentRefusals({ team, environmentLimits, others, before, after }: QuotaInput): Refusal[] {
  const { environment, owner } = after;
  if (environment === undefined) return [];
  const there = others.filter((other) => other.environment === environment);
  const isMoreThere = before?.environment !== environment;
  const owned = owner === undefined ? [] : there.filter((other) => isSameEmail(other.owner ?? "", owner));
  const isMoreOwned = isMoreThere || !isSameEmail(before.owner ?? "", owner ?? "");
  const place = `environment ${environment} of team ${team}`;
  return refusalsOf([
    {
      rule: "environment.maxClusters",
      subject: place,
      ...counts({
        limit: unlessZero(environmentLimits?.maxClusters),
        used: there.length,
        asked: isMoreThere ? 1 : 0,
      }),
    },
    {
      rule: "environment.maxClustersPerMember",
      subject: `${owner ?? "unknown"} in ${place}`,
      ...counts({
        limit: unlessZero(environmentLimits?.maxClustersPerMember),
        used: owned.length,
        asked: isMoreOwned ? 1 : 0,
      }),
    },
  ]);
}

function providerRefusals({ team, providerLimits, others, before, after }: QuotaInput): Refusal[] {
  const { provider } = after;
  if (provider === undefined || providerLimits === undefined) return [];
  const own = before?.provider === provider ? before.usage : noUsage;
  const there = others.filter((other) => other.provider === provider).map(({ usage }) => usage);
  const used = sumUsage([...there, own]);
  const asked = growthOf(own, after.usage);
  const subject = `team ${team} on ProviderConfig ${provider}`;
  return refusalsOf([
    {
      rule: "provider.maxClustersPerTeam",
      subject,
      ...counts({ limit: providerLimits.maxClustersPerTeam, used: used.clusters, asked: asked.clusters }),
    },
    {
      rule: "provider.maxNodesPerTeam",
      subject,
      ...counts({ limit: providerLimits.maxNodesPerTeam, used: used.nodes, asked: asked.nodes }),
    },
  ]);
}

/** A count in which 0 means no limit, as in environments. */
function unlessZero(limit: number | undefined): number | undefined {
  return limit === 0 ? undefined : limit;
}

function counts({ limit, used, asked }: { limit: number | undefined; used: number; asked: number }): {
  limit: bigint | undefined;
  used: bigint;
  asked: bigint;
} {
  return { limit: limit === undefined ? undefined : BigInt(limit), used: BigInt(used), asked: BigInt(asked) };
}
