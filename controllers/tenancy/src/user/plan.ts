import type { TeamMembership } from "@butler/access";
import type { User } from "@butler/api";
import { holds, lacks, type Plan } from "@butler/controller";
import type { ConditionStatement } from "@butler/resource";
import { deepEqual } from "@butler/std";
import { statusShare } from "../shared/index.ts";

/** Everything the decision is made from. */
export interface Observed {
  readonly user: User;
  /** Every team that the person belongs to, in order. */
  readonly teams: readonly TeamMembership[];
}

type Phase = "Pending" | "Active" | "Disabled" | "Locked";

/** Decides what an account says about itself. Sign-ins are recorded in the same status by whoever lets people in. */
export function plan({ user, teams }: Observed, now: Date): Plan {
  const phase = phaseOf(user, now);
  return {
    finalizer: "none",
    ...statusShare(user, {
      fields: { phase, teams, teamsResolvedAt: resolvedAt(user, teams, now) },
      conditions: [readyOf(phase)],
      conditionTypes: ["Ready"],
    }),
    // A lock ends by itself, and nothing else would bring the account round then.
    ...(phase === "Locked" ? { requeueAfterMs: lockMs(user, now) } : {}),
  };
}

/** Disabled is a decision of people, so it comes before everything else. */
function phaseOf(user: User, now: Date): Phase {
  const { spec, status } = user;
  if (spec.disabled) return "Disabled";
  if (lockMs(user, now) > 0) return "Locked";
  const awaitsPassword = spec.authType === "internal" && status?.passwordSecretRef === undefined;
  return awaitsPassword ? "Pending" : "Active";
}

/** How much longer an account is locked; 0 when it is not. */
function lockMs({ status }: User, now: Date): number {
  const until = status?.lockedUntil === undefined ? Number.NaN : Date.parse(status.lockedUntil);
  return Number.isNaN(until) ? 0 : Math.max(0, until - now.getTime());
}

const readiness: Readonly<Record<Phase, ConditionStatement>> = {
  Active: holds("Ready", "Active", "the person can sign in"),
  Pending: lacks("Ready", "Pending", "the person has no password yet; send an invitation"),
  Disabled: lacks("Ready", "Disabled", "the account is disabled; set spec.disabled to false to let the person in"),
  Locked: lacks("Ready", "Locked", "too many sign-ins failed; the lock ends at the time in status.lockedUntil"),
};

function readyOf(phase: Phase): ConditionStatement {
  return readiness[phase];
}

/** When the list last changed. */
function resolvedAt({ status }: User, teams: readonly TeamMembership[], now: Date): string {
  const isSame = deepEqual(status?.teams, teams);
  const before = isSame ? status?.teamsResolvedAt : undefined;
  return before ?? now.toISOString().replace(/\.\d+Z$/, "Z");
}
