import type { TeamMembership } from "@butler/access";
import type { User } from "@butler/api";
import { holds, lacks, type Plan } from "@butler/controller";
import type { ConditionStatement } from "@butler/resource";
import { deepEqual } from "@butler/std";
import { statusShare } from "../shared/index.ts";

/** The input of the plan. */
export interface Observed {
  readonly user: User;
  /** Every team of the user, sorted. */
  readonly teams: readonly TeamMembership[];
}

type Phase = "Pending" | "Active" | "Disabled" | "Locked";

/** Plans the status of an account. The server records sign-ins in the same status. */
export function plan({ user, teams }: Observed, now: Date): Plan {
  const phase = phaseOf(user, now);
  return {
    finalizer: "none",
    ...statusShare(user, {
      fields: { phase, teams, teamsResolvedAt: resolvedAt(user, teams, now) },
      conditions: [readyOf(phase)],
      conditionTypes: ["Ready"],
    }),
    // A lock expires without an event, so a requeue is needed.
    ...(phase === "Locked" ? { requeueAfterMs: lockMs(user, now) } : {}),
  };
}

/** Disabled is set by an administrator, so it has priority. */
function phaseOf(user: User, now: Date): Phase {
  const { spec, status } = user;
  if (spec.disabled) return "Disabled";
  if (lockMs(user, now) > 0) return "Locked";
  const awaitsPassword = spec.authType === "internal" && status?.passwordSecretRef === undefined;
  return awaitsPassword ? "Pending" : "Active";
}

/** Remaining lock time of an account; 0 when it is not locked. */
function lockMs({ status }: User, now: Date): number {
  const until = status?.lockedUntil === undefined ? Number.NaN : Date.parse(status.lockedUntil);
  return Number.isNaN(until) ? 0 : Math.max(0, until - now.getTime());
}

const readiness: Readonly<Record<Phase, ConditionStatement>> = {
  Active: holds("Ready", "Active", "user can sign in"),
  Pending: lacks("Ready", "Pending", "no password set yet; send an invitation"),
  Disabled: lacks("Ready", "Disabled", "account disabled; set spec.disabled to false to allow sign-in"),
  Locked: lacks(
    "Ready",
    "Locked",
    "too many failed sign-ins; locked for new devices until the time in status.lockedUntil",
  ),
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
