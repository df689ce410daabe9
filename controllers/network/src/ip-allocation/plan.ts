import { finalizers, type IPAllocation, type NetworkPool } from "@butler/api";
import { holds, lacks, type Plan, type PlannedEvent } from "@butler/controller";
import { findCondition, isBeingDeleted, keyText } from "@butler/resource";
import { formatDuration } from "@butler/std";
import { claimWrite, refusalWrite } from "../shared/claim-write.ts";
import { poolKeyOf, rangeOf, restsUntilMs } from "../shared/claims.ts";
import { quarantineMsOf } from "../shared/quarantine.ts";
import type { StatusWrite } from "../shared/status-writer.ts";
import { timeText } from "../shared/time-text.ts";

/** Everything the decision is made from. */
export interface Observed {
  readonly claim: IPAllocation;
  /** The pool that it draws from; undefined when there is none. */
  readonly pool: NetworkPool | undefined;
  /** Whether the API server itself says that there is no such cluster as the addresses are for. */
  readonly isOrphan: boolean;
  /** How long a claim whose cluster is gone stays. */
  readonly orphanGraceMs: number;
}

/** Writes the status of the claim. */
export interface WriteClaim {
  readonly type: "writeClaim";
  readonly write: StatusWrite;
}

/** Deletes the claim, as its owner would have. */
export interface DeleteClaim {
  readonly type: "deleteClaim";
  readonly name: string;
  readonly namespace: string | undefined;
  readonly uid: string | undefined;
}

export type ClaimEffect = WriteClaim | DeleteClaim;

/**
 * Decides about the life of a claim around what its pool gives it: it cannot vanish while it has addresses, they rest
 * when it goes, and one that nobody needs any more goes by itself.
 */
export function plan(observed: Observed, now: Date): Plan<ClaimEffect> {
  const { claim } = observed;
  if (isBeingDeleted(claim)) return planRelease(observed, now);
  // The finalizer makes a new version, and what is decided on this one would come too late.
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

/** Addresses that were in use rest before the claim goes, and with it what is known of them. */
function planRelease({ claim, pool }: Observed, now: Date): Plan<ClaimEffect> {
  if (rangeOf(claim) === undefined) return { finalizer: "release" };
  const untilMs = restsUntilMs(claim);
  if (untilMs !== undefined) {
    const leftMs = untilMs - now.getTime();
    return leftMs <= 0 ? { finalizer: "release" } : { finalizer: "hold", requeueAfterMs: leftMs };
  }
  const quarantineUntil = timeText(now.getTime() + quarantineMsOf(pool));
  const message = `its addresses rest until ${quarantineUntil}; somebody else can get them after that`;
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

/** That the cluster is gone is written down when it is first seen: a new process goes on counting from there. */
function orphanage({ claim, isOrphan, orphanGraceMs }: Observed, now: Date): Orphanage {
  const nothing = { effects: [], events: [] };
  const known = findCondition(claim.status?.conditions, "Orphaned");
  if (!isOrphan) {
    if (known === undefined) return nothing;
    return { ...nothing, write: claimWrite(claim, { status: {}, conditions: [], dropped: ["Orphaned"] }, now) };
  }
  const cluster = keyText(claim.spec.tenantClusterRef);
  if (known === undefined) {
    const message = `there is no TenantCluster ${cluster}; deleted in ${formatDuration(orphanGraceMs)} unless it comes back`;
    const conditions = [holds("Orphaned", "ClusterNotFound", message)];
    return { ...nothing, write: claimWrite(claim, { status: {}, conditions }, now) };
  }
  const leftMs = Date.parse(known.lastTransitionTime) + orphanGraceMs - now.getTime();
  if (leftMs > 0) return { ...nothing, requeueAfterMs: leftMs };
  const { name, namespace, uid } = claim.metadata;
  const message = `deleted because there is no TenantCluster ${cluster} any more`;
  return {
    effects: [{ type: "deleteClaim", name, namespace, uid }],
    events: [{ type: "Warning", reason: "OrphanedAllocation", message }],
  };
}

/** A pool that exists speaks to its claims itself. */
function poolMissing({ claim, pool }: Observed, now: Date): StatusWrite | undefined {
  if (pool !== undefined || rangeOf(claim) !== undefined) return undefined;
  const message = `there is no NetworkPool ${keyText(poolKeyOf(claim))}; it is served as soon as there is`;
  return refusalWrite(claim, { phase: "Pending", reason: "PoolNotFound", message }, now);
}
