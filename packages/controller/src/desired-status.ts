import { type Condition, type ConditionStatement, type KubeObject, mergeConditions } from "@butler/resource";
import { ButlerError, deepEqual, describeError, isRecord } from "@butler/std";
import { redactText } from "@butler/telemetry";
import type { Plan } from "./plan.ts";

export interface StatusInput {
  readonly primary: KubeObject;
  /** Undefined when there is no plan because observing or planning failed. */
  readonly plan: Pick<Plan, "status" | "conditions"> | undefined;
  readonly failure: { readonly stage: FailureStage; readonly error: unknown } | undefined;
  readonly now: Date;
  /**
   * Whether the kind has conditions and observedGeneration; a status without them contains only what the plan states.
   */
  readonly hasConditions: boolean;
}

export type FailureStage = "observe" | "plan" | "apply" | "remove" | "perform";

/** The reason that a condition or event gives for a failure at a stage. */
export const stageReason: Readonly<Record<FailureStage, string>> = {
  observe: "ObserveFailed",
  plan: "PlanFailed",
  apply: "ApplyFailed",
  remove: "RemoveFailed",
  perform: "EffectFailed",
};

/**
 * The status that should be written, or undefined when the object has it already. After a failure the status still
 * reports what is known, `Ready` gives the error, and observedGeneration is unchanged.
 */
export function desiredStatus(input: StatusInput): Record<string, unknown> | undefined {
  if (input.hasConditions) return statusWithConditions(input);
  const { status } = input.plan ?? {};
  return status === undefined || deepEqual(statusOf(input.primary), status) ? undefined : status;
}

function statusWithConditions({ primary, plan = {}, failure, now }: StatusInput): Record<string, unknown> | undefined {
  const current = statusOf(primary);
  const { generation } = primary.metadata;
  const saysNothing = plan.status === undefined && plan.conditions === undefined;
  const failed = failureConditions(failure);
  const stated = [...(plan.conditions ?? []), ...failed];
  const earlier = conditionsOf(current);
  const kept = saysNothing ? withoutPastFailure(earlier, failed) : statedAgain(earlier, stated);
  if (saysNothing && failure === undefined && kept.length === earlier.length) return undefined;
  const { conditions: _conditions, observedGeneration: before, ...body } = current;
  const next = dropUndefined({
    ...(plan.status ?? body),
    observedGeneration: saysNothing || failure !== undefined ? before : generation,
    conditions: mergeConditions({ current: kept, stated, generation, now }),
  });
  return deepEqual(current, next) ? undefined : next;
}

/** A plan with a status states all of this controller's fields: what it leaves out is removed. */
function statedAgain(earlier: readonly Condition[], stated: readonly ConditionStatement[]): Condition[] {
  return earlier.filter(({ type }) => stated.some((statement) => statement.type === type));
}

/** When the plan has no status, the earlier conditions are kept, except for a failure that no longer applies. */
function withoutPastFailure(earlier: readonly Condition[], failed: readonly ConditionStatement[]): Condition[] {
  return earlier.filter((condition) => failed.length > 0 || !isFailure(condition));
}

function isFailure({ type, status, reason }: Condition): boolean {
  return type === "Ready" && status === "False" && Object.values(stageReason).includes(reason);
}

function conditionsOf(status: Record<string, unknown>): readonly Condition[] {
  return (status["conditions"] ?? []) as readonly Condition[];
}

function failureConditions(failure: StatusInput["failure"]): ConditionStatement[] {
  if (failure === undefined) return [];
  const { stage, error } = failure;
  const hint = error instanceof ButlerError ? error.hint : undefined;
  // The message must not change from attempt to attempt, or each retry would be a write.
  const message = redactText(describeError(error)).slice(0, 4_000) + (hint === undefined ? "" : `; ${hint}`);
  return [{ type: "Ready", status: "False", reason: stageReason[stage], message }];
}

/** The status of an object as plain data. */
export function statusOf(object: KubeObject): Record<string, unknown> {
  const status = (object as { status?: unknown }).status;
  return isRecord(status) ? status : {};
}

function dropUndefined(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}
