import {
  allocationRoles,
  claimNameOf,
  clusterLabels,
  hasRoom,
  IPAllocation,
  loadBalancerClaim,
  type NetworkPool,
} from "@butler/api";
import { clusterNameLabel } from "@butler/api-external";
import { type PlannedEvent, type Removal, removalOf } from "@butler/controller";
import { findCondition } from "@butler/resource";
import type { Demand, Use } from "./demand.ts";
import { type Observed, settingsOf } from "./observed.ts";
import { claimedCount, pendingGrowth } from "./stock.ts";

/** Actions to get addresses for waiting Services. */
export interface Growth {
  readonly apply: readonly IPAllocation[];
  readonly remove: readonly Removal[];
  readonly events: readonly PlannedEvent[];
  /** Requeue delay, in milliseconds. */
  readonly nextLookMs?: number | undefined;
}

const nothing: Growth = { apply: [], remove: [], events: [] };

/**
 * Requests more addresses if more Services have waited long enough than addresses are free; one claim at a time, large
 * enough for all waiting Services. A claim that waits in an exhausted pool moves to another pool that can serve it.
 */
export function planGrowth(observed: Observed, { demands }: Use): Growth {
  const pending = pendingGrowth(observed.claims);
  const demand = demands.find(({ family, waiting, free }) => waiting > free && poolsOf(observed, family).length > 0);
  // A claim without addresses that is no longer needed is deleted immediately.
  if (demand === undefined) return { ...nothing, remove: pending.map((claim) => removalOf(IPAllocation, claim)) };
  const { overdue, free, nextOverdueMs } = demand;
  const isElastic = settingsOf(observed).allocationMode === "elastic";
  if (isElastic && pending.length > 0) return { ...nothing, remove: movable(observed, pending, demand) };
  if (overdue <= free) return { ...nothing, nextLookMs: nextOverdueMs };
  return isElastic ? grow(observed, demand) : { ...nothing, events: [exhausted(demand)] };
}

interface Wanted {
  /** Number of addresses for all waiting Services. */
  readonly missing: number;
  /** Requested number: at least one increment. */
  readonly asked: number;
  /** Remaining quota of the tenant. */
  readonly left: number;
}

function wantedOf(observed: Observed, { waiting, free }: Demand, claims: readonly IPAllocation[]): Wanted {
  const missing = waiting - free;
  const limit = observed.provider.spec.network?.quotaPerTenant?.maxLoadBalancerIPs ?? Number.POSITIVE_INFINITY;
  const asked = Math.max(settingsOf(observed).growthIncrement, missing);
  return { missing, asked, left: Math.max(0, limit - claimedCount(claims)) };
}

function grow(observed: Observed, demand: Demand): Growth {
  const wanted = wantedOf(observed, demand, observed.claims);
  const { missing, left } = wanted;
  const events = missing > left ? [quotaReached(observed, demand, wanted)] : [];
  const choice = left === 0 ? undefined : chooseBlock(poolsOf(observed, demand.family), wanted);
  if (choice === undefined) return { ...nothing, events };
  const claim = newClaim(observed, choice);
  const message =
    `${demand.waiting} Services waiting, ${demand.free} addresses free: IPAllocation ${claim.metadata.name} ` +
    `requests ${choice.count} more from NetworkPool ${choice.pool.metadata.name}`;
  return {
    ...nothing,
    apply: [claim],
    events: [...events, { type: "Normal", reason: "LoadBalancerPoolGrown", message }],
  };
}

interface BlockChoice {
  readonly pool: NetworkPool;
  readonly count: number;
  readonly hasRoom: boolean;
}

/** A whole increment if a pool has it, else what is missing, else what is available; else the claim is queued. */
function chooseBlock(pools: readonly NetworkPool[], { asked, missing, left }: Wanted): BlockChoice | undefined {
  for (const size of [asked, missing]) {
    const count = Math.min(size, left);
    const pool = pools.find((each) => hasRoom(each, { kind: "block", count }));
    if (pool !== undefined) return { pool, count, hasRoom: true };
  }
  const [largest] = pools.toSorted((one, two) => largestOf(two) - largestOf(one));
  if (largest !== undefined && largestOf(largest) > 0) {
    return { pool: largest, count: Math.min(largestOf(largest), left), hasRoom: true };
  }
  const [first] = pools;
  return first && { pool: first, count: Math.min(missing, left), hasRoom: false };
}

function largestOf({ status }: NetworkPool): number {
  return status?.largestFreeBlock ?? 0;
}

/** Pending claims that could be served by another pool, or with a smaller size. */
function movable(observed: Observed, pending: readonly IPAllocation[], demand: Demand): Removal[] {
  const others = observed.claims.filter((claim) => !pending.includes(claim));
  const wanted = wantedOf(observed, demand, others);
  const choice = wanted.left === 0 ? undefined : chooseBlock(poolsOf(observed, demand.family), wanted);
  if (choice === undefined) return [];
  const { pool, count } = choice;
  const stuck = pending.filter(({ spec, status }) => {
    const isPoolGone = !observed.pools.some(({ metadata }) => metadata.name === spec.poolRef.name);
    const isExhausted = findCondition(status?.conditions, "Ready")?.reason === "PoolExhausted";
    const isBetter = pool.metadata.name !== spec.poolRef.name || count < (spec.count ?? 0);
    return isPoolGone || (isExhausted && choice.hasRoom && isBetter);
  });
  return stuck.map((claim) => removalOf(IPAllocation, claim));
}

function newClaim({ cluster, claims }: Observed, { pool, count }: BlockChoice): IPAllocation {
  const taken = new Set(claims.map(({ metadata }) => metadata.name));
  const numbered = Array.from({ length: taken.size + 1 }, (_none, at) => `${claimNameOf(cluster)}-g${at + 1}`);
  return loadBalancerClaim({
    name: numbered.find((text) => !taken.has(text)) ?? "",
    cluster,
    pool,
    wish: { kind: "block", count },
    role: allocationRoles.growth,
    labels: { ...clusterLabels(cluster), [clusterNameLabel]: cluster.metadata.name },
  });
}

function quotaReached({ claims, provider }: Observed, { waiting, free }: Demand, { missing }: Wanted): PlannedEvent {
  const limit = provider.spec.network?.quotaPerTenant?.maxLoadBalancerIPs;
  const message =
    `${waiting} Services waiting, ${free} addresses free: requested ${missing} more, claimed ` +
    `${claimedCount(claims)}, limited to ${limit} per tenant by ProviderConfig ${provider.metadata.name}`;
  return { type: "Warning", reason: "LoadBalancerQuotaReached", message };
}

function exhausted({ waiting, free }: Demand): PlannedEvent {
  const message = `${waiting} Services waiting, ${free} addresses free; no addresses are added because the ProviderConfig has allocationMode static`;
  return { type: "Warning", reason: "LoadBalancerPoolExhausted", message };
}

function poolsOf({ pools }: Observed, family: 4 | 6): NetworkPool[] {
  return pools.filter(({ spec }) => (spec.cidr.includes(":") ? 6 : 4) === family);
}
