import { finalizers, type NetworkPool } from "@butler/api";
import { holds, type Plan } from "@butler/controller";
import { describeRange, statusNumber } from "@butler/ipam";
import { type ConditionStatement, isBeingDeleted, mergeConditions } from "@butler/resource";
import { Bug, deepEqual } from "@butler/std";
import { blockerWrite, type ClaimStatement, claimWrite } from "../shared/claim-write.ts";
import { restsUntilMs } from "../shared/claims.ts";
import type { StatusWrite } from "../shared/status-writer.ts";
import { timeText } from "../shared/time-text.ts";
import { decidePool, needsFreshView, type PoolDecision } from "./decision.ts";
import { type Delivery, grantRestsUntilMs, grantsOf } from "./grants.ts";
import type { PoolView } from "./pool-view.ts";
import { activationOf } from "./activation.ts";

/** Writes the status of a claim. */
export interface ClaimWrite extends StatusWrite {
  readonly isServed: boolean;
}

/** Writes the status of the pool: counts and, before any claim is written, grants. */
export interface WritePool {
  readonly type: "writePool";
  readonly write: StatusWrite;
}

/** Writes the status of claims, independently of each other. */
export interface WriteClaims {
  readonly type: "writeClaims";
  readonly pool: { readonly name: string; readonly namespace: string };
  readonly writes: readonly ClaimWrite[];
}

export type PoolEffect = WritePool | WriteClaims;

/** Value of `allocatedBy` in the status of an IPAllocation. */
export const allocatorName = "butler-network-pool";

/** Plans the next step for a pool. */
export function plan(view: PoolView, now: Date): Plan<PoolEffect> {
  const { pool } = view;
  const isHeld = pool.metadata.finalizers?.includes(finalizers.networkPool) ?? false;
  // Adding the finalizer changes the version, so decisions based on this one would be stale.
  if (!isHeld && !isBeingDeleted(pool)) return { finalizer: "hold" };
  const decision = decidePool(view, now);
  if (!view.isFresh && needsFreshView(view, decision))
    throw new Bug("refusing to allocate addresses from a stale cache");
  if (isBeingDeleted(pool) && decision.heldBy.length === 0) return { finalizer: "release" };
  return {
    finalizer: "hold",
    effects: [...poolEffects(view, decision, now), ...claimEffects(view, decision, now)],
    events: decision.events,
    requeueAfterMs: nextLookMs(view, now),
  };
}

function poolEffects({ pool }: PoolView, { grants, report, conditions }: PoolDecision, now: Date): WritePool[] {
  const status = { ...report?.fields, grants: grants.length === 0 ? undefined : grants };
  const stated = conditionsOf(pool, conditions, now);
  const wanted = { ...status, conditions: stated, observedGeneration: pool.metadata.generation };
  const current = (pool.status ?? {}) as Readonly<Record<string, unknown>>;
  const changed = Object.entries(wanted).filter(([field, value]) => !isSame(current[field], value));
  if (changed.length === 0) return [];
  const { name, namespace, resourceVersion = "" } = pool.metadata;
  const patch = Object.fromEntries(changed.map(([field, value]) => [field, value ?? null]));
  return [{ type: "writePool", write: { name, namespace, resourceVersion, status: patch } }];
}

/** The API server drops empty lists. */
function isSame(current: unknown, wanted: unknown): boolean {
  return deepEqual(current, wanted) || (current === undefined && Array.isArray(wanted) && wanted.length === 0);
}

/** Conditions of other types are not changed. */
function conditionsOf(pool: NetworkPool, stated: readonly ConditionStatement[], now: Date) {
  const { generation } = pool.metadata;
  return mergeConditions({ current: pool.status?.conditions, stated, generation, now });
}

function claimEffects({ pool }: PoolView, { deliveries, blockedClaims }: PoolDecision, now: Date): WriteClaims[] {
  const served = deliveries.map((delivery) => ({ ...deliveryWrite(delivery, now), isServed: true }));
  const refused = blockedClaims.flatMap(({ claim, blocker }) => {
    const write = blockerWrite(claim, blocker, now);
    return write === undefined ? [] : [{ ...write, isServed: false }];
  });
  const writes = [...served, ...refused];
  const { name, namespace = "" } = pool.metadata;
  return writes.length === 0 ? [] : [{ type: "writeClaims", pool: { name, namespace }, writes }];
}

/** A longer list would exceed the object size limit and burden every watch. */
const mostListed = 4_096n;

function deliveryWrite({ claim, range }: Delivery, now: Date): StatusWrite {
  const description = describeRange(range);
  const { cidr = null, startAddress, endAddress, count, text } = description;
  const status: ClaimStatement["status"] = {
    phase: "Allocated",
    cidr,
    startAddress,
    endAddress,
    addresses: count > mostListed ? null : [...description.addresses],
    allocatedCount: statusNumber(count),
    allocatedAt: timeText(now.getTime()),
    allocatedBy: allocatorName,
  };
  return claimWrite(claim, { status, conditions: [holds("Ready", "Allocated", `allocated ${text}`)] }, now);
}

/** When to requeue: at the end of a quarantine, or after another pool should have withdrawn. */
function nextLookMs(view: PoolView, now: Date): number | undefined {
  const { pool, claims } = view;
  const times = [
    ...claims.flatMap((claim) => restsUntilMs(claim) ?? []),
    ...grantsOf(pool).map((grant) => grantRestsUntilMs(pool, grant)),
  ].filter((time) => time > now.getTime());
  const isOpen = activationOf(pool) === "open" && !isBeingDeleted(pool);
  const delays = [...times.map((time) => time - now.getTime()), ...(isOpen ? [openDelayMs] : [])];
  return delays.length === 0 ? undefined : delays.reduce((least, delay) => Math.min(least, delay));
}

/** Requeue delay of an undecided pool; a change of the other pool triggers it earlier. */
const openDelayMs = 5_000;
