import { usageOf } from "@butler/access";
import { effectiveLimits, type ProviderConfig, TenantCluster } from "@butler/api";
import type { getTeamUsage, listTeamProviders, RouteAnswer } from "@butler/contract";
import { formatBinaryQuantity, formatDecimalQuantity, parseQuantity } from "@butler/std";
import { readableAmount } from "../../parts/amounts.ts";
import type { Draft, Parts } from "./draft.ts";
import { filledSpec, presetsOf, type TeamFacts } from "./presets.ts";

/** Usage of a team. */
export type TeamUsage = Pick<RouteAnswer<typeof getTeamUsage>, "clusters" | "nodes" | "cpu" | "memory" | "storage">;

/** A provider, as teams see it. */
export type Provider = Pick<RouteAnswer<typeof listTeamProviders>["providers"][number], "metadata" | "spec"> &
  Pick<ProviderConfig, "status">;

/** One quota: used, requested and limit. */
export interface QuotaRow {
  readonly label: string;
  readonly used: number;
  readonly asked: number;
  readonly limit: number | undefined;
  readonly words: string;
}

/** Quota usage with a draft; undefined while the draft is invalid. */
export function quotaRows(draft: Draft, team: TeamFacts, usage: TeamUsage): readonly QuotaRow[] | undefined {
  const asked = askedUsage(draft, team);
  if (asked === undefined) return undefined;
  const limits = effectiveLimits(team.resourceLimits ?? { defaultNodeCount: 0 });
  const environment = team.environments.find(({ name }) => name === draft.environment);
  const ofEnvironment = environment?.limits?.maxClusters;
  return [
    counted("Clusters", { used: usage.clusters, asked: 1, limit: limits.maxClusters }),
    ...(environment === undefined || !ofEnvironment
      ? []
      : [
          counted(`Clusters in ${environment.name}`, {
            used: environment.clusterCount,
            asked: 1,
            limit: ofEnvironment,
          }),
        ]),
    counted("Worker nodes", { used: usage.nodes, asked: asked.nodes, limit: limits.maxTotalNodes }),
    ...(limits.maxNodesPerCluster === undefined
      ? []
      : [counted("Worker nodes per cluster", { used: 0, asked: asked.nodes, limit: limits.maxNodesPerCluster })]),
    measured(
      "CPU cores",
      { used: usage.cpu, asked: asked.cpuMilli * 1_000_000n, limit: limits.maxCPUCores },
      formatDecimalQuantity,
    ),
    measured(
      "Memory",
      { used: usage.memory, asked: asked.memoryBytes * nano, limit: limits.maxMemory },
      formatBinaryQuantity,
    ),
    measured(
      "Disk",
      { used: usage.storage, asked: asked.storageBytes * nano, limit: limits.maxStorage },
      formatBinaryQuantity,
    ),
  ];
}

const nano = 1_000_000_000n;

function askedUsage({ spec, environment }: Draft, team: TeamFacts) {
  const whole = TenantCluster.spec.safeParse(filledSpec(spec, presetsOf(team, environment)));
  return whole.success ? usageOf({ spec: whole.data }, undefined) : undefined;
}

interface Counts {
  readonly used: number;
  readonly asked: number;
  readonly limit: number | undefined;
}

function counted(label: string, { used, asked, limit }: Counts): QuotaRow {
  return {
    label,
    used,
    asked,
    limit,
    words: wordsOf([String(used), String(asked), limit === undefined ? undefined : String(limit)]),
  };
}

interface Amounts {
  readonly used: string;
  readonly asked: bigint;
  readonly limit: string | number | undefined;
}

function measured(label: string, { used, asked, limit }: Amounts, format: (amount: bigint) => string): QuotaRow {
  const most = limit === undefined ? undefined : parseQuantity(limit);
  const now = parseQuantity(used);
  const readable = (amount: bigint): string => readableAmount(format(amount));
  return {
    label,
    used: Number(now),
    asked: Number(asked),
    limit: most === undefined ? undefined : Number(most),
    words: wordsOf([readable(now), readable(asked), most === undefined ? undefined : readable(most)]),
  };
}

function wordsOf([used, asked, limit]: readonly [string, string, string | undefined]): string {
  return `${used} used + ${asked} requested${limit === undefined ? ", no limit" : ` of ${limit}`}`;
}

/** Addresses that a draft needs from a provider's pools, and the free ones. */
export interface AddressFacts {
  readonly left: number;
  readonly asked: number;
  readonly estimatedClusters: number | undefined;
}

/** Address demand of a draft; undefined if the provider assigns addresses itself or reports no capacity. */
export function addressesOf(draft: Draft, team: TeamFacts, provider: Provider | undefined): AddressFacts | undefined {
  const capacity = provider?.status?.capacity;
  const usage = askedUsage(draft, team);
  if (provider?.spec.network?.mode !== "ipam" || capacity?.availableIPs === undefined) return undefined;
  return {
    left: capacity.availableIPs,
    asked: (usage?.nodes ?? 0) + loadBalancers(draft.spec, provider),
    estimatedClusters: capacity.estimatedTenants,
  };
}

function loadBalancers(spec: Parts, { spec: { network } }: Provider): number {
  const whole = TenantCluster.spec.safeParse(spec);
  const own = whole.data?.networking;
  if (own?.loadBalancerPool !== undefined) return 0;
  const { allocationMode, initialPoolSize = 2, defaultPoolSize = 8 } = network?.loadBalancer ?? {};
  return own?.lbPoolSize ?? (allocationMode === "elastic" ? initialPoolSize : defaultPoolSize);
}

/** Reference to a provider as text. */
export function providerText({ metadata: { namespace = "", name } }: Provider): string {
  return `${namespace}/${name}`;
}
