import type { NetworkPool } from "@butler/api";
import { managedRanges } from "@butler/ipam";
import { findCondition, isBeingDeleted, keyText } from "@butler/resource";
import { rangesOverlap } from "@butler/std";
import { type PoolView, readShape } from "./pool-view.ts";

/**
 * Whether a pool may hand out addresses, as it is written in the pool itself. `open` is not decided for what the spec
 * says now; `withdrawn` stands back for another pool, or makes no sense.
 */
export type Standing = "active" | "open" | "withdrawn";

/** Reasons of `Ready` by which other pools know that this one stands back. */
const withdrawnReasons = ["OverlapsPool", "ValidationFailed"];

/** The standing that a pool has now. */
export function standingOf({ metadata, status }: NetworkPool): Standing {
  const ready = findCondition(status?.conditions, "Ready");
  if (ready === undefined || ready.observedGeneration !== metadata.generation) return "open";
  if (ready.status === "True") return "active";
  return withdrawnReasons.includes(ready.reason) ? "withdrawn" : "open";
}

/** The standing that a pool is to have, and the pool that is the reason when it is not active. */
export interface StandingDecision {
  readonly standing: Standing;
  readonly rival?: NetworkPool;
}

/**
 * Decides between pools that have addresses in common; admission refuses those, but two that are made at the same instant
 * pass. The younger one stands back at once, and the older one waits for it to do so before it becomes active, because the
 * younger may have become active before the older one was there. A pool that stood back is open again before it can
 * become active, so that every pool which becomes active was seen as a rival by all that look after it.
 */
export function decideStanding({ pool, others }: PoolView): StandingDecision {
  const rivals = others.filter((other) => overlaps(pool, other));
  const own = standingOf(pool);
  const isOlder = (other: NetworkPool): boolean => seniority(other) < seniority(pool);
  const active = rivals.find((rival) =>
    own === "active" ? standingOf(rival) === "active" && isOlder(rival) : isActive(rival),
  );
  if (active !== undefined) return { standing: "withdrawn", rival: active };
  if (own === "active") return { standing: "active" };
  const open = rivals.filter((rival) => standingOf(rival) === "open");
  const senior = open.find(isOlder);
  if (senior !== undefined) return { standing: "withdrawn", rival: senior };
  const [junior] = open;
  if (junior !== undefined) return { standing: "open", rival: junior };
  return { standing: own === "withdrawn" ? "open" : "active" };
}

/** A pool that is to be deleted has what it handed out until it is gone. */
function isActive(pool: NetworkPool): boolean {
  return standingOf(pool) === "active" || (isBeingDeleted(pool) && standingOf(pool) !== "withdrawn");
}

/** The older, the smaller; times are whole seconds, so the uid decides between two of the same second. */
function seniority({ metadata }: NetworkPool): string {
  return `${metadata.creationTimestamp ?? ""} ${metadata.uid ?? ""}`;
}

/** Whether two pools could hand out the same address. Networks may overlap where tenants get nothing of. */
function overlaps(left: NetworkPool, right: NetworkPool): boolean {
  if (keyText(left.metadata) === keyText(right.metadata)) return false;
  const [one, two] = [readShape(left), readShape(right)];
  if ("fault" in one || "fault" in two) return false;
  const theirs = managedRanges(two.shape);
  return managedRanges(one.shape).some((range) => theirs.some((other) => rangesOverlap(range, other)));
}
