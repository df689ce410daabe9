import type { ClusterCreationPolicy, Team } from "@butler/api";
import { holds, lacks, type Plan } from "@butler/controller";
import { type ConditionStatement, isBeingDeleted } from "@butler/resource";
import { statusShare } from "../shared/index.ts";
import { conflictsOf, targetOf, teamNameOf } from "./conflicts.ts";

/** The input of the plan. */
export interface Observed {
  readonly policy: ClusterCreationPolicy;
  /** Every policy for the same clusters; this one may be among them. */
  readonly others: readonly ClusterCreationPolicy[];
  /** The team that the policy applies to; undefined when it does not exist, or the policy applies to every team. */
  readonly team: Team | undefined;
}

/** Plans the status of a policy. */
export function plan(observed: Observed): Plan {
  const ready = readyOf(observed);
  const { reason, message } = ready;
  return {
    finalizer: "none",
    ...statusShare(observed.policy, { fields: {}, conditions: [ready], conditionTypes: ["Ready"] }),
    events: ready.status === "True" ? [] : [{ type: "Warning", reason, message }],
  };
}

function readyOf(observed: Observed): ConditionStatement {
  const { policy, others } = observed;
  const lost = lostTarget(observed);
  if (lost !== undefined) return lacks("Ready", lost.reason, lost.message);
  const conflicts = conflictsOf(
    policy,
    others.filter((other) => !isBeingDeleted(other)),
  );
  if (conflicts.length === 0) return holds("Ready", "Ready", `applies to ${targetOf(policy.spec)}`);
  const named = conflicts.map(({ name, options }) => `${name} (${options.join(", ")})`).join("; ");
  const message = `conflicts with other policies for ${targetOf(policy.spec)} on the same options: ${named}; delete all but one`;
  return lacks("Ready", "Conflict", message);
}

/** A policy for a missing team or environment applies to no cluster. */
function lostTarget({ policy, team }: Observed): { reason: string; message: string } | undefined {
  const name = teamNameOf(policy.spec);
  if (name === undefined) return undefined;
  if (team === undefined) {
    return { reason: "TeamMissing", message: `Team ${name} not found; create it, or correct spec.scope` };
  }
  const { environmentName } = policy.spec.scope.teamAndEnvironment ?? {};
  if (environmentName === undefined || team.spec.environments?.some((one) => one.name === environmentName) === true) {
    return undefined;
  }
  const message = `team ${name} has no environment ${environmentName}; add it, or correct spec.scope`;
  return { reason: "EnvironmentMissing", message };
}
