import type { NetworkPool, ProviderConfig } from "@butler/api";
import { holds, lacks } from "@butler/controller";
import { type ConditionStatement, type ObjectKey } from "@butler/resource";
import { nameSome } from "@butler/std";

/** A pool that a ProviderConfig refers to; `pool` is undefined when it does not exist. */
export interface NamedPool {
  readonly name: string;
  readonly pool: NetworkPool | undefined;
}

/** The addresses available to clusters of a provider. */
export interface Capacity {
  readonly condition: ConditionStatement;
  /** Undefined until all pools report their capacity. */
  readonly capacity?: { readonly availableIPs: number; readonly estimatedTenants: number };
}

const defaultNodes = 5;
const defaultBlock = 8;

/** The pools that a ProviderConfig allocates addresses from, in its own namespace; none in mode cloud. */
export function poolKeysOf({ metadata: { namespace }, spec: { network } }: ProviderConfig): ObjectKey[] {
  if (network?.mode !== "ipam") return [];
  const names = new Set((network.poolRefs ?? []).map(({ name }) => name));
  return [...names].map((name) => ({ name, namespace }));
}

/** Sums up the available addresses of the pools; undefined when the provider manages addresses itself. */
export function capacityOf({ spec }: ProviderConfig, pools: readonly NamedPool[]): Capacity | undefined {
  if (spec.network?.mode !== "ipam") return undefined;
  const missing = pools.filter(({ pool }) => pool === undefined).map(({ name }) => name);
  if (missing.length > 0) {
    const message = `NetworkPool ${nameSome(missing)} not found; create it, or correct spec.network.poolRefs`;
    return { condition: lacks("PoolAvailable", "ValidationFailed", message) };
  }
  const counted = pools.flatMap(({ pool }) => (pool?.status?.availableIPs === undefined ? [] : [pool]));
  if (counted.length < pools.length) {
    const message = "waiting for all NetworkPools to report their capacity";
    return { condition: { type: "PoolAvailable", status: "Unknown", reason: "NotCounted", message } };
  }
  return countedCapacity(counted, blockSize(spec.network.loadBalancer));
}

function countedCapacity(pools: readonly NetworkPool[], block: number): Capacity {
  const availableIPs = sum(pools.map(freeIn));
  const capacity = { availableIPs, estimatedTenants: sum(pools.map((pool) => tenantsIn(pool, block))) };
  // No numbers in the message: they are in the status, and each change would be another write of the condition.
  const condition =
    availableIPs > 0
      ? holds("PoolAvailable", "PoolAvailable", "addresses available")
      : lacks("PoolAvailable", "PoolExhausted", "no addresses left; add a NetworkPool, or extend one");
  return { condition, capacity };
}

/** Number of tenants that fit in one pool; an estimate, because each may request more or less. */
function tenantsIn(pool: NetworkPool, block: number): number {
  const nodes = pool.spec.tenantAllocation?.defaults.nodesPerTenant ?? defaultNodes;
  return Math.floor(freeIn(pool) / (nodes + block));
}

function freeIn({ status }: NetworkPool): number {
  return status?.availableIPs ?? 0;
}

/** Number of load balancer addresses of a new tenant. */
function blockSize(loadBalancer: NonNullable<ProviderConfig["spec"]["network"]>["loadBalancer"]): number {
  if (loadBalancer === undefined) return defaultBlock;
  return loadBalancer.allocationMode === "elastic" ? loadBalancer.initialPoolSize : loadBalancer.defaultPoolSize;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
