import { isPending } from "@butler/helm";
import { retryAtMs } from "./attempts.ts";
import { timeText } from "./describe.ts";
import { begin } from "./steps.ts";
import { type Decision, type ReleaseSituation, stay } from "./situation.ts";

/** Uninstalls a release. A pending revision of another client is left alone for a grace period. */
export function decideAbsence(situation: ReleaseSituation): Decision {
  const { revisions, nowMs, job } = situation;
  const [newest] = revisions;
  if (newest === undefined || newest.status === "uninstalled") {
    const gone = { phase: "Deleting", reason: "Uninstalled", message: "the release is uninstalled" } as const;
    return stay(situation, { ...gone, isGone: true });
  }
  const graceEndsMs = graceEnd(situation);
  if (isPending(newest) && job === undefined && nowMs < graceEndsMs) {
    const message = `revision ${newest.revision} is ${newest.status}: another client may still be working on it`;
    return stay(situation, { phase: "Deleting", reason: "ReleasePending", message, dueMs: graceEndsMs });
  }
  return beginUninstall(situation);
}

function beginUninstall(situation: ReleaseSituation): Decision {
  const { attempt, nowMs } = situation;
  const hasFailed = attempt?.action === "uninstall" && attempt.outcome === "Failed";
  const dueMs = hasFailed ? retryAtMs(attempt) : nowMs;
  if (!hasFailed || nowMs >= dueMs) {
    return begin({ ...situation, blocker: undefined }, "uninstall", { message: "uninstalling the release" });
  }
  const message = `uninstall failed: ${attempt.message ?? ""}; retrying at ${timeText(dueMs)}`;
  return stay(situation, { phase: "Deleting", reason: attempt.reason ?? "Failed", message, dueMs });
}

function graceEnd({ nowMs, pendingSinceMs = nowMs, switches }: ReleaseSituation): number {
  return pendingSinceMs + switches.graceMs;
}
