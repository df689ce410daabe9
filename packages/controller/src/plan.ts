import type { Condition, ConditionStatement, Kind, KubeObject, ObjectKey } from "@butler/resource";

/** Work outside the cluster, as a named value: it can be asserted on, logged and shown before it is done. */
export interface Effect {
  readonly type: string;
}

/** An object that a plan wants gone. */
export interface Removal extends ObjectKey {
  readonly kind: Kind;
  /** Removes only this very object, not a namesake made since. */
  readonly uid?: string | undefined;
}

/** A note for people, shown by `kubectl describe`. It is recorded when it first appears in a plan, not each time. */
export interface PlannedEvent {
  readonly type: "Normal" | "Warning";
  /** One CamelCase word. */
  readonly reason: string;
  readonly message: string;
}

/**
 * What one reconcile wants of the world. Plain data: equal inputs give equal plans. It states everything each time, so
 * that a field, condition or child that is no longer stated goes away.
 */
export interface Plan<E extends Effect = never, Status = Record<string, unknown>> {
  /** Objects to be applied, in order. The owner reference is added when they leave the plan. */
  readonly apply?: readonly KubeObject[];
  readonly remove?: readonly Removal[];
  /** Work outside the cluster, in order, after the objects. The first failure ends the pass. */
  readonly effects?: readonly E[];
  /** The whole status but for conditions and observedGeneration; undefined leaves the status as it is. */
  readonly status?: Status | undefined;
  /** All conditions that this controller is answerable for. */
  readonly conditions?: readonly ConditionStatement[];
  readonly events?: readonly PlannedEvent[];
  /** `hold` while there is something to clean up; `release` once there is not; `none` when there never is. */
  readonly finalizer: "hold" | "release" | "none";
  /** Looks again after this long even if nothing changes. */
  readonly requeueAfterMs?: number | undefined;
}

/** A condition that holds. */
export function holds(type: string, reason: string, message: string): ConditionStatement {
  return { type, status: "True", reason, message };
}

/** A condition that does not hold. */
export function lacks(type: string, reason: string, message: string): ConditionStatement {
  return { type, status: "False", reason, message };
}

/** The plan for an object that is to be left alone: everything stands as it is, and one condition says why. */
export function pausedPlan(
  status: { readonly conditions?: readonly Condition[] | undefined } | undefined,
  why: ConditionStatement,
): Plan {
  const others = (status?.conditions ?? []).filter(({ type }) => type !== why.type);
  const restated = others.map(({ type, status: holding, reason, message }) => ({
    type,
    status: holding,
    reason,
    message,
  }));
  return { finalizer: "none", conditions: [...restated, why] };
}
