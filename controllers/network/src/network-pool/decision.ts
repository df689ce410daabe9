import { holds, lacks, type PlannedEvent } from "@butler/controller";
import { AddressSpace } from "@butler/ipam";
import { type ConditionStatement, isBeingDeleted, keyText } from "@butler/resource";
import { deepEqual, nameSome } from "@butler/std";
import { isTaken } from "../shared/claims.ts";
import type { ClaimBlocker } from "../shared/claim-write.ts";
import { capacityConditions, capacityEvents } from "./capacity.ts";
import {
  decideGrants,
  type GrantDecision,
  grantsOf,
  keepGrants,
  currentGrants,
  takenRanges,
  unservedClaims,
} from "./grants.ts";
import { type PoolView, readShape } from "./pool-view.ts";
import { type PoolReport, reportPool } from "./report.ts";
import { activationOf, decideActivation } from "./activation.ts";

/** All status changes and allocations, decided from one view of a pool. */
export interface PoolDecision extends Omit<GrantDecision, "space"> {
  readonly report: PoolReport | undefined;
  readonly conditions: readonly ConditionStatement[];
  readonly events: readonly PlannedEvent[];
  /** Claims that block the deletion of a pool, in order: allocated or in quarantine. */
  readonly heldBy: readonly string[];
}

/** Decides about a pool. */
export function decidePool(view: PoolView, now: Date): PoolDecision {
  const { pool } = view;
  const read = readShape(pool);
  const heldBy = isBeingDeleted(pool) ? holdersOf(view, now) : [];
  if ("fault" in read) {
    const blocker = refuse("PoolInvalid", "the pool's spec is invalid; see its Ready condition");
    const ready = lacks("Ready", "ValidationFailed", read.fault);
    return { ...giveNothing(view, now, blocker), report: undefined, conditions: [ready], events: [], heldBy };
  }
  const { ready, blocker, mayGive } = judge(view, heldBy);
  const { shape } = read;
  const given = mayGive ? decideGrants(view, shape, now) : giveNothing(view, now, blocker);
  const space = given.space ?? AddressSpace.of(shape, takenRanges(view, given.grants, now));
  const report = reportPool(view, { shape, space, grants: given.grants, now });
  const { grants, deliveries, blockedClaims } = given;
  return {
    grants,
    deliveries,
    blockedClaims,
    report,
    conditions: [ready ?? availability(report), ...capacityConditions(report.percent)],
    events: capacityEvents(pool.status?.conditions, report.percent),
    heldBy,
  };
}

/** Whether the decision allocates addresses or changes the activation, which requires a fresh view. */
export function needsFreshView({ pool }: PoolView, decision: PoolDecision): boolean {
  const ready = decision.conditions.find(({ type }) => type === "Ready");
  const isOpening = ready?.status === "True" && activationOf(pool) !== "active";
  const isLetGo = isBeingDeleted(pool) && decision.heldBy.length === 0;
  return isOpening || isLetGo || decision.deliveries.length > 0 || !deepEqual(decision.grants, grantsOf(pool));
}

interface Judgement {
  /** Undefined if only the available count is reported. */
  readonly ready?: ConditionStatement;
  /** What blocks waiting claims if nothing is allocated; undefined if temporary. */
  readonly blocker?: ClaimBlocker;
  readonly mayGive: boolean;
}

function judge(view: PoolView, heldBy: readonly string[]): Judgement {
  const { pool } = view;
  if (isBeingDeleted(pool)) {
    const message = `waiting for IPAllocations to release their addresses (${heldBy.length}): ${nameSome(heldBy)}`;
    const blocker = refuse("PoolDeleting", "the pool is being deleted and allocates no addresses");
    return { ready: lacks("Ready", "DeletionBlocked", message), blocker, mayGive: false };
  }
  const { activation, rival } = decideActivation(view);
  // Addresses are allocated only if the activation has been stored in the pool.
  if (activation === "active") return { mayGive: activationOf(pool) === "active" };
  const name = rival === undefined ? "other pools" : `NetworkPool ${keyText(rival.metadata)}`;
  if (activation === "open") {
    return {
      ready: { type: "Ready", status: "Unknown", reason: "Comparing", message: `checking for overlap with ${name}` },
      mayGive: false,
    };
  }
  const message = `overlaps ${name}; allocates no addresses until one of the two is changed or deleted`;
  const blocker = refuse("PoolOverlaps", `the pool overlaps ${name} and allocates no addresses`);
  return { ready: lacks("Ready", "OverlapsPool", message), blocker, mayGive: false };
}

function availability({ available, total }: PoolReport): ConditionStatement {
  return holds("Ready", "PoolAvailable", `${available}/${total} addresses available`);
}

/** Existing grants are still delivered. */
function giveNothing(view: PoolView, now: Date, blocker: ClaimBlocker | undefined): GrantDecision {
  const kept = keepGrants(view, now);
  const told = blocker === undefined ? [] : unservedClaims(view, kept.grants).map((claim) => ({ claim, blocker }));
  return { ...kept, blockedClaims: told };
}

function holdersOf(view: PoolView, now: Date): string[] {
  const holders = view.claims.filter((claim) => isTaken(claim, now)).map(({ metadata }) => metadata.name);
  return [...new Set([...holders, ...currentGrants(view, now).map(({ name }) => name)])].sort();
}

function refuse(reason: string, message: string): ClaimBlocker {
  return { phase: "Pending", reason, message };
}
