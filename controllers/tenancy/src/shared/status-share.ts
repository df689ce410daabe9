import type { Plan } from "@butler/controller";
import type { Condition, ConditionStatement, KubeObject } from "@butler/resource";
import { deepEqual } from "@butler/std";

/** The part of a status that one controller owns. */
export interface StatusShare {
  /** Every field it owns; undefined for a field that must be absent. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly conditions: readonly ConditionStatement[];
  /** Types of all conditions it owns, including those that it does not state now. */
  readonly conditionTypes: readonly string[];
}

type WithStatus = KubeObject & { readonly status?: object | undefined };

/**
 * The status of a plan for an object with several status writers: its share, or nothing when the share is up to date.
 * The runtime compares whole statuses, which would never be equal when other writers have their own fields.
 */
export function statusShare(primary: WithStatus, share: StatusShare): Pick<Plan, "status" | "conditions"> {
  if (isInPlace(primary, share)) return {};
  return { status: share.fields, conditions: share.conditions };
}

function isInPlace(
  { metadata, status = {} }: WithStatus,
  { fields, conditions, conditionTypes }: StatusShare,
): boolean {
  const current = status as Readonly<Record<string, unknown>> & { readonly conditions?: readonly Condition[] };
  if (current["observedGeneration"] !== metadata.generation) return false;
  if (!Object.entries(fields).every(([name, value]) => deepEqual(current[name], value))) return false;
  const standing = (current.conditions ?? []).filter(({ type }) => conditionTypes.includes(type));
  return standing.length === conditions.length && conditions.every((stated) => isStanding(standing, stated, metadata));
}

function isStanding(
  standing: readonly Condition[],
  stated: ConditionStatement,
  { generation }: KubeObject["metadata"],
): boolean {
  return standing.some(
    ({ type, status, reason, message, observedGeneration }) =>
      observedGeneration === generation && deepEqual({ type, status, reason, message }, stated),
  );
}
