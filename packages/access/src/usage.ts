import { effectiveMachine, effectiveReplicas, type EffectiveMachine, type TenantCluster } from "@butler/api";
import { parseQuantity } from "@butler/std";

/** Resource usage of clusters, in integers rounded up. */
export interface Usage {
  readonly clusters: number;
  readonly nodes: number;
  readonly cpuMilli: bigint;
  readonly memoryBytes: bigint;
  readonly storageBytes: bigint;
}

/** The usage of no clusters. */
export const noUsage: Usage = { clusters: 0, nodes: 0, cpuMilli: 0n, memoryBytes: 0n, storageBytes: 0n };

/** The resource requests of one cluster: its main workers and those of every other pool, with defaults applied. */
export function usageOf({ spec }: Pick<TenantCluster, "spec">): Usage {
  const main = effectiveMachine(spec.workers.machineTemplate);
  const { cpu, memory, diskSize } = main;
  const pools = (spec.workerPools ?? []).map(({ replicas, machineTemplate }) =>
    usageOfPool(replicas, effectiveMachine(machineTemplate, { cpu, memory, diskSize })),
  );
  return sumUsage([{ ...noUsage, clusters: 1 }, usageOfPool(effectiveReplicas(spec.workers.replicas), main), ...pools]);
}

/** The sum of several usages. */
export function sumUsage(parts: readonly Usage[]): Usage {
  return parts.reduce((sum, part) => combine(sum, part, { count: (a, b) => a + b, amount: (a, b) => a + b }), noUsage);
}

/** The larger of both, per resource. */
export function largerUsage(left: Usage, right: Usage): Usage {
  return combine(left, right, { count: Math.max, amount: (a, b) => (a > b ? a : b) });
}

/** The growth from the first to the second, per resource; 0 where it is less. */
export function growthOf(before: Usage, after: Usage): Usage {
  return combine(before, after, { count: (a, b) => Math.max(0, b - a), amount: (a, b) => (b > a ? b - a : 0n) });
}

/** Whether any resource is used. */
export function isSomeUsage({ clusters, nodes, cpuMilli, memoryBytes, storageBytes }: Usage): boolean {
  return clusters > 0 || nodes > 0 || cpuMilli > 0n || memoryBytes > 0n || storageBytes > 0n;
}

interface Combination {
  readonly count: (left: number, right: number) => number;
  readonly amount: (left: bigint, right: bigint) => bigint;
}

function combine(left: Usage, right: Usage, { count, amount }: Combination): Usage {
  return {
    clusters: count(left.clusters, right.clusters),
    nodes: count(left.nodes, right.nodes),
    cpuMilli: amount(left.cpuMilli, right.cpuMilli),
    memoryBytes: amount(left.memoryBytes, right.memoryBytes),
    storageBytes: amount(left.storageBytes, right.storageBytes),
  };
}

function usageOfPool(replicas: number, { cpu, memory, diskSize }: EffectiveMachine): Usage {
  const times = BigInt(replicas);
  return {
    clusters: 0,
    nodes: replicas,
    cpuMilli: BigInt(cpu) * 1_000n * times,
    memoryBytes: wholeUnits(memory, 1_000_000_000n) * times,
    storageBytes: wholeUnits(diskSize, 1_000_000_000n) * times,
  };
}

/** A quantity in whole units of the given nano-units, rounded up. */
function wholeUnits(quantity: string | number, nanoUnits: bigint): bigint {
  const amount = parseQuantity(quantity);
  return amount <= 0n ? 0n : (amount + nanoUnits - 1n) / nanoUnits;
}
