import { type Claim, judgeQuota, limitsOf, type Refusal, usageOf } from "@butler/access";
import {
  annotations,
  type ButlerConfig,
  labels,
  type ProviderConfig,
  providerKeyOf,
  type Team,
  type TenantCluster,
} from "@butler/api";
import { keyText } from "@butler/resource";
import { formatBinaryQuantity, formatDecimalQuantity } from "@butler/std";

/** Facts for the limits of a new cluster. */
export interface PlanFacts {
  readonly team: Team | undefined;
  readonly config: ButlerConfig | undefined;
  readonly provider: ProviderConfig | undefined;
  /** Other clusters of the team. */
  readonly others: readonly TenantCluster[];
}

/** Limits that a new cluster would exceed. */
export function exceededLimits(cluster: TenantCluster, { team, config, provider, others }: PlanFacts): Refusal[] {
  const claimOf = (each: TenantCluster): Claim => {
    const notes = each.metadata.annotations ?? {};
    const key = providerKeyOf(each, { team, config });
    return {
      usage: usageOf(each, config),
      environment: each.metadata.labels?.[labels.environment],
      owner: notes[annotations.owner] ?? notes[annotations.creatorEmail],
      provider: key && keyText(key),
    };
  };
  const after = claimOf(cluster);
  return judgeQuota({
    team: team?.metadata.name ?? "(none)",
    limits: team === undefined ? {} : limitsOf(team, config),
    environmentLimits: team?.spec.environments?.find(({ name }) => name === after.environment)?.limits,
    providerLimits: provider?.spec.limits ?? {},
    others: others.filter(({ metadata }) => metadata.name !== cluster.metadata.name).map(claimOf),
    after,
  });
}

/** Resource usage of a cluster in human-readable amounts. */
export function usageView(
  cluster: TenantCluster,
  config: ButlerConfig | undefined,
): { nodes: number; cpu: string; memory: string; storage: string } {
  const { nodes, cpuMilli, memoryBytes, storageBytes } = usageOf(cluster, config);
  return {
    nodes,
    cpu: formatDecimalQuantity(cpuMilli * 1_000_000n),
    memory: formatBinaryQuantity(memoryBytes * 1_000_000_000n),
    storage: formatBinaryQuantity(storageBytes * 1_000_000_000n),
  };
}
