import type { NetworkPool } from "@butler/api";
import { managedRanges } from "@butler/ipam";
import { findCondition, isBeingDeleted, keyText } from "@butler/resource";
import { rangesOverlap } from "@butler/std";
import { type PoolView, readShape } from "./pool-view.ts";

/**
 * Whether a pool can allocate addresses, as stored in the pool itself. `open`: not decided for the current spec.
 * `withdrawn`: overlaps another pool, or is invalid.
 */
export type Activation = "active" | "open" | "withdrawn";

/** Reasons of `Ready` that mark a pool as withdrawn. */
const withdrawnReasons = ["OverlapsPool", "ValidationFailed"];

/** Current activation of a pool. */
export function activationOf({ metadata, status }: NetworkPool): Activation {
  const ready = findCondition(status?.conditions, "Ready");
  if (ready === undefined || ready.observedGeneration !== metadata.generation) return "open";
  if (ready.status === "True") return "active";
  return withdrawnReasons.includes(ready.reason) ? "withdrawn" : "open";
}

/** Desired activation of a pool, and the rival if it is not active. */
export interface ActivationDecision {
  readonly activation: Activation;
  readonly rival?: NetworkPool;
}

/**
 * Decides between overlapping pools; admission rejects them, but two pools that are created at the same time pass. The
 * younger one withdraws immediately, and the older one waits for that before it becomes active, because the younger one
 * may have become active before the older one existed. A withdrawn pool becomes open before it can become active, so
 * that every pool that becomes active was seen as a rival by all later ones.
 */
export function decideActivation({ pool, others }: PoolView): ActivationDecision {
  const rivals = others.filter((other) => overlaps(pool, other));
  const own = activationOf(pool);
  const isOlder = (other: NetworkPool): boolean => seniority(other) < seniority(pool);
  const active = rivals.find((rival) =>
    own === "active" ? activationOf(rival) === "active" && isOlder(rival) : isActive(rival),
  );
  if (active !== undefined) return { activation: "withdrawn", rival: active };
  if (own === "active") return { activation: "active" };
  const open = rivals.filter((rival) => activationOf(rival) === "open");
  const senior = open.find(isOlder);
  if (senior !== undefined) return { activation: "withdrawn", rival: senior };
  const [junior] = open;
  if (junior !== undefined) return { activation: "open", rival: junior };
  return { activation: own === "withdrawn" ? "open" : "active" };
}

/** A pool that is being deleted keeps its allocations until it is deleted. */
function isActive(pool: NetworkPool): boolean {
  return activationOf(pool) === "active" || (isBeingDeleted(pool) && activationOf(pool) !== "withdrawn");
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
