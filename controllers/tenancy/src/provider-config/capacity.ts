import type { NetworkPool, ProviderConfig } from "@butler/api";
import { holds, lacks } from "@butler/controller";
import { type ConditionStatement, type ObjectKey } from "@butler/resource";
import { nameSome } from "@butler/std";

/** A pool that a ProviderConfig names; undefined when there is none of that name. */
export interface NamedPool {
  readonly name: string;
  readonly pool: NetworkPool | undefined;
}

/** What is left of the addresses that clusters of a provider can get. */
export interface Capacity {
  readonly condition: ConditionStatement;
  /** Undefined while nobody has counted. */
  readonly capacity?: { readonly availableIPs: number; readonly estimatedTenants: number };
}

const defaultNodes = 5;
const defaultBlock = 8;

/** The pools that a ProviderConfig takes addresses from, which are in its own namespace; none in mode cloud. */
export function poolKeysOf({ metadata: { namespace }, spec: { network } }: ProviderConfig): ObjectKey[] {
  if (network?.mode !== "ipam") return [];
  const names = new Set((network.poolRefs ?? []).map(({ name }) => name));
  return [...names].map((name) => ({ name, namespace }));
}

/** Adds up what the pools have left; undefined when the provider looks after addresses itself. */
export function capacityOf({ spec }: ProviderConfig, pools: readonly NamedPool[]): Capacity | undefined {
  if (spec.network?.mode !== "ipam") return undefined;
  const missing = pools.filter(({ pool }) => pool === undefined).map(({ name }) => name);
  if (missing.length > 0) {
    const message = `there is no NetworkPool ${nameSome(missing)}; create it, or correct spec.network.poolRefs`;
    return { condition: lacks("PoolAvailable", "ValidationFailed", message) };
  }
  const counted = pools.flatMap(({ pool }) => (pool?.status?.availableIPs === undefined ? [] : [pool]));
  if (counted.length < pools.length) {
    const message = "not every NetworkPool has been counted yet";
    return { condition: { type: "PoolAvailable", status: "Unknown", reason: "NotCounted", message } };
  }
  return countedCapacity(counted, blockSize(spec.network.loadBalancer));
}

function countedCapacity(pools: readonly NetworkPool[], block: number): Capacity {
  const availableIPs = sum(pools.map(freeIn));
  const capacity = { availableIPs, estimatedTenants: sum(pools.map((pool) => tenantsIn(pool, block))) };
  // Numbers stay out of the message: they are in the status, and each would be another write of the condition.
  const condition =
    availableIPs > 0
      ? holds("PoolAvailable", "PoolAvailable", "there are addresses left")
      : lacks("PoolAvailable", "PoolExhausted", "no address is left; add a NetworkPool, or enlarge one");
  return { condition, capacity };
}

/** How many tenants would find room in one pool; an estimate, because each may ask for more or less. */
function tenantsIn(pool: NetworkPool, block: number): number {
  const nodes = pool.spec.tenantAllocation?.defaults.nodesPerTenant ?? defaultNodes;
  return Math.floor(freeIn(pool) / (nodes + block));
}

function freeIn({ status }: NetworkPool): number {
  return status?.availableIPs ?? 0;
}

/** The load-balancer addresses that a new tenant is given. */
function blockSize(loadBalancer: NonNullable<ProviderConfig["spec"]["network"]>["loadBalancer"]): number {
  if (loadBalancer === undefined) return defaultBlock;
  return loadBalancer.allocationMode === "elastic" ? loadBalancer.initialPoolSize : loadBalancer.defaultPoolSize;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
