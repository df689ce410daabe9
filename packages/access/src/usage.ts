import {
  type ButlerConfig,
  effectiveMachine,
  effectiveReplicas,
  type EffectiveMachine,
  type TenantCluster,
} from "@butler/api";
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

/** What a cluster's usage depends on besides the cluster. */
export type UsageConfig = { readonly spec: Pick<ButlerConfig["spec"], "defaultControlPlaneResources"> } | undefined;

/**
 * The resource requests of one cluster: its workers, and the pods of its control plane on the management cluster, with
 * defaults applied.
 */
export function usageOf(cluster: Pick<TenantCluster, "spec">, config: UsageConfig): Usage {
  return sumUsage([workerUsageOf(cluster), controlPlaneUsageOf(cluster, config)]);
}

/** The usage of a cluster's main workers and those of every other pool. */
export function workerUsageOf({ spec }: Pick<TenantCluster, "spec">): Usage {
  const main = effectiveMachine(spec.workers.machineTemplate);
  const { cpu, memory, diskSize } = main;
  const pools = (spec.workerPools ?? []).map(({ replicas, machineTemplate }) =>
    usageOfPool(replicas, effectiveMachine(machineTemplate, { cpu, memory, diskSize })),
  );
  return sumUsage([{ ...noUsage, clusters: 1 }, usageOfPool(effectiveReplicas(spec.workers.replicas), main), ...pools]);
}

/**
 * The usage of the pods of a hosted control plane: for each component the cluster's setting as a whole, or else the
 * platform's, in each replica. Of requests and limits the larger one counts, because it is what the pod may use.
 */
export function controlPlaneUsageOf({ spec }: Pick<TenantCluster, "spec">, config: UsageConfig): Usage {
  const { replicas, resources: own = {} } = spec.controlPlane;
  const platform = config?.spec.defaultControlPlaneResources ?? {};
  const components = (["apiServer", "controllerManager", "scheduler"] as const).flatMap(
    (component) => own[component] ?? platform[component] ?? [],
  );
  const sum = (resource: "cpu" | "memory", nanoUnits: bigint): bigint =>
    components
      .map(({ requests, limits }) => {
        const asked = wholeUnits(requests?.[resource] ?? 0, nanoUnits);
        const most = wholeUnits(limits?.[resource] ?? 0, nanoUnits);
        return asked > most ? asked : most;
      })
      .reduce((total, each) => total + each, 0n) * BigInt(replicas);
  return { ...noUsage, cpuMilli: sum("cpu", 1_000_000n), memoryBytes: sum("memory", 1_000_000_000n) };
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
