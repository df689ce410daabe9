import {
  type Blocker,
  blockerText,
  type Condition,
  type ConditionStatement,
  type Kind,
  type KubeObject,
  type ObjectKey,
} from "@butler/resource";

/** Work outside the cluster, as a named value: it can be asserted on, logged and shown before it is done. */
export interface Effect {
  readonly type: string;
}

/** An object that a plan deletes. */
export interface Removal extends ObjectKey {
  readonly kind: Kind;
  /** Deletes only this object, not one of the same name created since. */
  readonly uid?: string | undefined;
}

/** Removes this very object. */
export function removalOf(kind: Kind, { metadata: { name, namespace, uid } }: KubeObject): Removal {
  return { kind, name, namespace, uid };
}

/** An event, shown by `kubectl describe`. It is recorded when it first appears in a plan, not each time. */
export interface PlannedEvent {
  readonly type: "Normal" | "Warning";
  /** One CamelCase word. */
  readonly reason: string;
  readonly message: string;
}

/**
 * The desired state after one reconcile. Plain data: equal inputs give equal plans. It states everything each time, so
 * that a field, condition or child that is no longer stated is removed.
 */
export interface Plan<E extends Effect = never, Status = Record<string, unknown>> {
  /** Objects to be applied, in order. The owner reference is added when they leave the plan. */
  readonly apply?: readonly KubeObject[];
  readonly remove?: readonly Removal[];
  /** Work outside the cluster, in order, after the objects. The first failure ends the pass. */
  readonly effects?: readonly E[];
  /** The whole status except for conditions and observedGeneration; undefined leaves the status unchanged. */
  readonly status?: Status | undefined;
  /** All conditions that this controller owns. */
  readonly conditions?: readonly ConditionStatement[];
  readonly events?: readonly PlannedEvent[];
  /** `hold` while there is something to clean up; `release` once there is not; `none` when there never is. */
  readonly finalizer: "hold" | "release" | "none";
  /** Requeues after this long even if nothing changes. */
  readonly requeueAfterMs?: number | undefined;
}

/** A condition with status True. */
export function holds(type: string, reason: string, message: string): ConditionStatement {
  return { type, status: "True", reason, message };
}

/** A condition with status False. */
export function lacks(type: string, reason: string, message: string): ConditionStatement {
  return { type, status: "False", reason, message };
}

/** The event that reports a blocker. */
export function warningOf(blocker: Blocker): PlannedEvent {
  return { type: "Warning", reason: blocker.reason, message: blockerText(blocker) };
}

/** The plan for an object that is left unchanged: one condition gives the reason. */
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
