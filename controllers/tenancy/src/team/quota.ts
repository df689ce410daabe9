import { limitsOf, sumUsage, usageOf, utilisation, type Limits, type Usage, workerUsageOf } from "@butler/access";
import { annotations, type ButlerConfig, labels, type Team, type TenantCluster } from "@butler/api";
import { holds, lacks } from "@butler/controller";
import type { ConditionStatement } from "@butler/resource";
import { formatBinaryQuantity, formatDecimalQuantity, nameSome } from "@butler/std";
import { clusterNames, isClusterOf } from "../shared/index.ts";

/** A team's usage, as in its status. */
export interface Quota {
  readonly clusterCount: number;
  readonly resourceUsage: NonNullable<Team["status"]>["resourceUsage"];
  readonly quotaStatus: "OK" | "Warning" | "Exceeded";
  readonly quotaMessage: string;
  readonly conditions: readonly ConditionStatement[];
}

interface QuotaInput {
  readonly team: Team;
  readonly config: ButlerConfig | undefined;
  readonly clusters: readonly TenantCluster[];
}

/** A team's usage of each of its limits: the team's own, those per cluster, and those of environments. */
export function quotaOf({ team, config, clusters }: QuotaInput): Quota {
  const own = clusters.filter((cluster) => isClusterOf(cluster, team.metadata.name));
  const limits = limitsOf(team, config);
  const usage = sumUsage(own.map((cluster) => usageOf(cluster, config)));
  const { percent, status, message } = utilisation(usage, limits);
  const excesses = [...oversizedClusters(own, limits), ...overfullEnvironments(team, own)];
  const isExceeded = status === "Exceeded" || excesses.length > 0;
  const quotaMessage = [...(status === "OK" && isExceeded ? [] : [message]), ...excesses].join("; ");
  return {
    clusterCount: usage.clusters,
    resourceUsage: {
      ...amountsOf(usage),
      clusterUtilization: percent.clusters,
      nodeUtilization: percent.nodes,
      cpuUtilization: percent.cpu,
      memoryUtilization: percent.memory,
    },
    quotaStatus: isExceeded ? "Exceeded" : status,
    quotaMessage,
    conditions: [
      isExceeded
        ? holds("QuotaExceeded", "QuotaExceeded", quotaMessage)
        : lacks("QuotaExceeded", "WithinLimits", quotaMessage),
    ],
  };
}

function amountsOf({ clusters, nodes, cpuMilli, memoryBytes, storageBytes }: Usage) {
  return {
    clusters,
    totalNodes: nodes,
    totalCPU: formatDecimalQuantity(cpuMilli * 1_000_000n),
    totalMemory: formatBinaryQuantity(memoryBytes * 1_000_000_000n),
    totalStorage: formatBinaryQuantity(storageBytes * 1_000_000_000n),
  };
}

function oversizedClusters(clusters: readonly TenantCluster[], { nodesPerCluster }: Limits): string[] {
  if (nodesPerCluster === undefined) return [];
  const oversized = clusters.filter((cluster) => workerUsageOf(cluster).nodes > nodesPerCluster);
  if (oversized.length === 0) return [];
  return [`clusters with more than ${nodesPerCluster} nodes: ${nameSome(clusterNames(oversized))}`];
}

function overfullEnvironments({ spec }: Team, clusters: readonly TenantCluster[]): string[] {
  return (spec.environments ?? []).flatMap(({ name, limits }) => {
    const there = clusters.filter(({ metadata }) => metadata.labels?.[labels.environment] === name);
    const members = Map.groupBy(there.filter(hasOwner), ownerOf);
    return [
      ...excess(`clusters in environment ${name}`, there.length, limits?.maxClusters),
      ...[...members].flatMap(([owner, owned]) =>
        excess(`clusters of ${owner} in environment ${name}`, owned.length, limits?.maxClustersPerMember),
      ),
    ];
  });
}

/** In environments a limit of 0 means no limit. */
function excess(what: string, used: number, limit = 0): string[] {
  return limit > 0 && used > limit ? [`${what}: ${used} of ${limit}`] : [];
}

function hasOwner(cluster: TenantCluster): boolean {
  return ownerOf(cluster) !== "";
}

function ownerOf({ metadata }: TenantCluster): string {
  const { [annotations.owner]: owner, [annotations.creatorEmail]: creator } = metadata.annotations ?? {};
  return (owner ?? creator ?? "").trim().toLowerCase();
}
