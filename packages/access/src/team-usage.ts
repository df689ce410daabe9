import type { ButlerConfig, Team, TenantCluster } from "@butler/api";
import { formatBinaryQuantity, formatDecimalQuantity } from "@butler/std";
import { limitsOf } from "./limits.ts";
import { sumUsage, usageOf } from "./usage.ts";
import { utilisation, type Utilisation } from "./utilisation.ts";

/** Resource usage and limits of a team, as text with units. */
export interface TeamUsage extends Utilisation {
  readonly clusters: number;
  readonly nodes: number;
  readonly cpu: string;
  readonly memory: string;
  readonly storage: string;
}

/** Input for the usage, besides the team. */
export interface TeamUsageFacts {
  readonly clusters: readonly TenantCluster[];
  /** For teams without limits of their own. */
  readonly config: ButlerConfig | undefined;
}

/** Sums up the requests of a team's clusters, and compares them with the team's limits. */
export function teamUsageOf(team: Team, { clusters, config }: TeamUsageFacts): TeamUsage {
  const usage = sumUsage(clusters.map((cluster) => usageOf(cluster, config)));
  return {
    clusters: usage.clusters,
    nodes: usage.nodes,
    cpu: formatDecimalQuantity(usage.cpuMilli * 1_000_000n),
    memory: formatBinaryQuantity(usage.memoryBytes * 1_000_000_000n),
    storage: formatBinaryQuantity(usage.storageBytes * 1_000_000_000n),
    ...utilisation(usage, limitsOf(team, config)),
  };
}
