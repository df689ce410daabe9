import { holds, lacks, type PlannedEvent } from "@butler/controller";
import { AddressSpace } from "@butler/ipam";
import { type ConditionStatement, isBeingDeleted, keyText } from "@butler/resource";
import { deepEqual, nameSome } from "@butler/std";
import { isTaken } from "../shared/claims.ts";
import type { Refusal } from "../shared/claim-write.ts";
import { capacityConditions, capacityEvents } from "./capacity.ts";
import {
  decideGrants,
  type GrantDecision,
  grantsOf,
  keepGrants,
  standingGrants,
  takenRanges,
  unservedClaims,
} from "./grants.ts";
import { type PoolView, readShape } from "./pool-view.ts";
import { type PoolReport, reportPool } from "./report.ts";
import { decideStanding, standingOf } from "./standing.ts";

/** Everything that is to be said and given, decided from one view of a pool. */
export interface PoolDecision extends Omit<GrantDecision, "space"> {
  readonly report: PoolReport | undefined;
  readonly conditions: readonly ConditionStatement[];
  readonly events: readonly PlannedEvent[];
  /** Claims that keep a pool which is to be deleted, in order: they have addresses, or these rest. Else none. */
  readonly heldBy: readonly string[];
}

/** Decides about a pool. */
export function decidePool(view: PoolView, now: Date): PoolDecision {
  const { pool } = view;
  const read = readShape(pool);
  const heldBy = isBeingDeleted(pool) ? holdersOf(view, now) : [];
  if ("fault" in read) {
    const refusal = refuse("PoolInvalid", "the spec of the pool is wrong; its condition Ready says how");
    const ready = lacks("Ready", "ValidationFailed", read.fault);
    return { ...giveNothing(view, now, refusal), report: undefined, conditions: [ready], events: [], heldBy };
  }
  const { ready, refusal, mayGive } = judge(view, heldBy);
  const { shape } = read;
  const given = mayGive ? decideGrants(view, shape, now) : giveNothing(view, now, refusal);
  const space = given.space ?? AddressSpace.of(shape, takenRanges(view, given.grants, now));
  const report = reportPool(view, { shape, space, grants: given.grants, now });
  const { grants, deliveries, refusals } = given;
  return {
    grants,
    deliveries,
    refusals,
    report,
    conditions: [ready ?? availability(report), ...capacityConditions(report.percent)],
    events: capacityEvents(pool.status?.conditions, report.percent),
    heldBy,
  };
}

/** Whether carrying the decision out gives addresses or settles who may: that takes a fresh view. */
export function needsFreshView({ pool }: PoolView, decision: PoolDecision): boolean {
  const ready = decision.conditions.find(({ type }) => type === "Ready");
  const isOpening = ready?.status === "True" && standingOf(pool) !== "active";
  const isLetGo = isBeingDeleted(pool) && decision.heldBy.length === 0;
  return isOpening || isLetGo || decision.deliveries.length > 0 || !deepEqual(decision.grants, grantsOf(pool));
}

interface Judgement {
  /** Undefined when there is nothing to say but how much is left. */
  readonly ready?: ConditionStatement;
  /** What those who wait are told when nothing is given; undefined when it is for a moment only. */
  readonly refusal?: Refusal;
  readonly mayGive: boolean;
}

function judge(view: PoolView, heldBy: readonly string[]): Judgement {
  const { pool } = view;
  if (isBeingDeleted(pool)) {
    const message = `deleted once nobody has addresses of it any more; there are ${heldBy.length}: ${nameSome(heldBy)}`;
    const refusal = refuse("PoolDeleting", "the pool is being deleted and gives nothing any more");
    return { ready: lacks("Ready", "DeletionBlocked", message), refusal, mayGive: false };
  }
  const { standing, rival } = decideStanding(view);
  // Addresses are given only on the ground of a standing that is written in the pool already.
  if (standing === "active") return { mayGive: standingOf(pool) === "active" };
  const name = rival === undefined ? "other pools" : `NetworkPool ${keyText(rival.metadata)}`;
  if (standing === "open") {
    return {
      ready: { type: "Ready", status: "Unknown", reason: "Comparing", message: `comparing with ${name}` },
      mayGive: false,
    };
  }
  const message = `has addresses in common with ${name} and gives nothing until one of the two is changed or deleted`;
  const refusal = refuse("PoolOverlaps", `the pool has addresses in common with ${name} and gives nothing`);
  return { ready: lacks("Ready", "OverlapsPool", message), refusal, mayGive: false };
}

function availability({ available, total }: PoolReport): ConditionStatement {
  return holds("Ready", "PoolAvailable", `${available} of ${total} addresses are available`);
}

/** What was promised is made good even then. */
function giveNothing(view: PoolView, now: Date, refusal: Refusal | undefined): GrantDecision {
  const kept = keepGrants(view, now);
  const told = refusal === undefined ? [] : unservedClaims(view, kept.grants).map((claim) => ({ claim, refusal }));
  return { ...kept, refusals: told };
}

function holdersOf(view: PoolView, now: Date): string[] {
  const holders = view.claims.filter((claim) => isTaken(claim, now)).map(({ metadata }) => metadata.name);
  return [...new Set([...holders, ...standingGrants(view, now).map(({ name }) => name)])].sort();
}

function refuse(reason: string, message: string): Refusal {
  return { phase: "Pending", reason, message };
}
