import type { Plan } from "@butler/controller";
import type { Condition, ConditionStatement } from "@butler/resource";
import { pausedCondition } from "./membership.ts";

/** The plan for an object that is to be left alone: everything stands as it is, and it says so. */
export function pausedPlan(status: { conditions?: readonly Condition[] | undefined } | undefined): Plan {
  const others = (status?.conditions ?? []).filter(({ type }) => type !== "Paused").map(statementOf);
  return { finalizer: "none", conditions: [...others, pausedCondition(true)] };
}

function statementOf({ type, status, reason, message }: Condition): ConditionStatement {
  return { type, status, reason, message };
}
