import { finalizers, type IPAllocation, type NetworkPool } from "@butler/api";
import { holds, lacks, type Plan, type PlannedEvent } from "@butler/controller";
import { findCondition, isBeingDeleted, keyText } from "@butler/resource";
import { formatDuration } from "@butler/std";
import { blockerWrite, claimWrite } from "../shared/claim-write.ts";
import { poolKeyOf, rangeOf, restsUntilMs } from "../shared/claims.ts";
import { quarantineMsOf } from "../shared/quarantine.ts";
import type { StatusWrite } from "../shared/status-writer.ts";
import { timeText } from "../shared/time-text.ts";

/** Inputs of the decision. */
export interface Observed {
  readonly claim: IPAllocation;
  /** The pool of the claim; undefined if it does not exist. */
  readonly pool: NetworkPool | undefined;
  /** Whether the API server confirms that the cluster does not exist. */
  readonly isOrphan: boolean;
  /** Grace period of a claim whose cluster was deleted. */
  readonly orphanGraceMs: number;
}

/** Writes the status of the claim. */
export interface WriteClaim {
  readonly type: "writeClaim";
  readonly write: StatusWrite;
}

/** Deletes the claim on behalf of its owner. */
export interface DeleteClaim {
  readonly type: "deleteClaim";
  readonly name: string;
  readonly namespace: string | undefined;
  readonly uid: string | undefined;
}

export type ClaimEffect = WriteClaim | DeleteClaim;

/**
 * Manages the lifecycle of a claim: it cannot be deleted while it has addresses, they are quarantined on release, and
 * an orphaned claim is deleted.
 */
export function plan(observed: Observed, now: Date): Plan<ClaimEffect> {
  const { claim } = observed;
  if (isBeingDeleted(claim)) return planRelease(observed, now);
  // Adding the finalizer changes the version, so decisions based on this one would be stale.
  if (claim.metadata.finalizers?.includes(finalizers.ipAllocation) !== true) return { finalizer: "hold" };
  const orphan = orphanage(observed, now);
  const write = orphan.write ?? poolMissing(observed, now);
  return {
    finalizer: "hold",
    effects: [...orphan.effects, ...(write === undefined ? [] : [{ type: "writeClaim" as const, write }])],
    events: orphan.events,
    requeueAfterMs: orphan.requeueAfterMs,
  };
}

/** Released addresses are quarantined before the claim is deleted, because the claim is their only record. */
function planRelease({ claim, pool }: Observed, now: Date): Plan<ClaimEffect> {
  if (rangeOf(claim) === undefined) return { finalizer: "release" };
  const untilMs = restsUntilMs(claim);
  if (untilMs !== undefined) {
    const leftMs = untilMs - now.getTime();
    return leftMs <= 0 ? { finalizer: "release" } : { finalizer: "hold", requeueAfterMs: leftMs };
  }
  const quarantineUntil = timeText(now.getTime() + quarantineMsOf(pool));
  const message = `addresses in quarantine until ${quarantineUntil}`;
  const status = { phase: "Released", releasedAt: timeText(now.getTime()), quarantineUntil } as const;
  const write = claimWrite(claim, { status, conditions: [lacks("Ready", "Released", message)] }, now);
  return { finalizer: "hold", effects: [{ type: "writeClaim", write }] };
}

interface Orphanage {
  readonly write?: StatusWrite;
  readonly effects: readonly ClaimEffect[];
  readonly events: readonly PlannedEvent[];
  readonly requeueAfterMs?: number;
}

/** The time at which the cluster was first missing is stored, so that a new process continues the grace period. */
function orphanage({ claim, isOrphan, orphanGraceMs }: Observed, now: Date): Orphanage {
  const nothing = { effects: [], events: [] };
  const known = findCondition(claim.status?.conditions, "Orphaned");
  if (!isOrphan) {
    if (known === undefined) return nothing;
    return { ...nothing, write: claimWrite(claim, { status: {}, conditions: [], dropped: ["Orphaned"] }, now) };
  }
  const cluster = keyText(claim.spec.tenantClusterRef);
  if (known === undefined) {
    const message = `TenantCluster ${cluster} not found; this IPAllocation will be deleted in ${formatDuration(orphanGraceMs)} unless the cluster is recreated`;
    const conditions = [holds("Orphaned", "ClusterNotFound", message)];
    return { ...nothing, write: claimWrite(claim, { status: {}, conditions }, now) };
  }
  const leftMs = Date.parse(known.lastTransitionTime) + orphanGraceMs - now.getTime();
  if (leftMs > 0) return { ...nothing, requeueAfterMs: leftMs };
  const { name, namespace, uid } = claim.metadata;
  const message = `deleted because TenantCluster ${cluster} no longer exists`;
  return {
    effects: [{ type: "deleteClaim", name, namespace, uid }],
    events: [{ type: "Warning", reason: "OrphanedAllocation", message }],
  };
}

/** An existing pool writes the status of its claims itself. */
function poolMissing({ claim, pool }: Observed, now: Date): StatusWrite | undefined {
  if (pool !== undefined || rangeOf(claim) !== undefined) return undefined;
  const message = `NetworkPool ${keyText(poolKeyOf(claim))} not found; waiting for it to be created`;
  return blockerWrite(claim, { phase: "Pending", reason: "PoolNotFound", message }, now);
}
