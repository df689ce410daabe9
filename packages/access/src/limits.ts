import { type ButlerConfig, effectiveLimits, type Team } from "@butler/api";
import { parseQuantity } from "@butler/std";

/** Resource limits of a team. Undefined means no limit, and 0 allows nothing. */
export interface Limits {
  readonly clusters?: number | undefined;
  readonly nodesPerCluster?: number | undefined;
  readonly nodes?: number | undefined;
  readonly cpuMilli?: bigint | undefined;
  readonly memoryBytes?: bigint | undefined;
  readonly storageBytes?: bigint | undefined;
}

/** Limits of one environment of a team. Here 0 means no limit, like undefined. */
export type EnvironmentLimits = NonNullable<NonNullable<Team["spec"]["environments"]>[number]["limits"]>;

/** The limits of a team: its own, or the platform's for teams that have none. */
export function limitsOf(team: Team, config?: ButlerConfig): Limits {
  const own = team.spec.resourceLimits;
  if (own !== undefined) {
    const limits = effectiveLimits(own);
    return {
      clusters: limits.maxClusters,
      nodesPerCluster: limits.maxNodesPerCluster,
      nodes: limits.maxTotalNodes,
      cpuMilli: amountIn(limits.maxCPUCores, milli),
      memoryBytes: amountIn(limits.maxMemory, whole),
      storageBytes: amountIn(limits.maxStorage, whole),
    };
  }
  const platform = config?.spec.defaultTeamLimits ?? {};
  return {
    clusters: platform.maxClusters,
    nodesPerCluster: platform.maxWorkersPerCluster,
    cpuMilli: amountIn(platform.maxTotalCPU, milli),
    memoryBytes: amountIn(platform.maxTotalMemory, whole),
    storageBytes: amountIn(platform.maxTotalStorage, whole),
  };
}

const milli = 1_000_000n;
const whole = 1_000_000_000n;

/** Limits are rounded down, as usage is rounded up. */
function amountIn(quantity: string | number | undefined, nanoUnits: bigint): bigint | undefined {
  if (quantity === undefined) return undefined;
  const amount = parseQuantity(quantity);
  return amount <= 0n ? 0n : amount / nanoUnits;
}
