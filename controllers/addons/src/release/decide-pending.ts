import { isNoted } from "./attempts.ts";
import { goodRevision } from "./revisions.ts";
import { type Attempt, type Decision, type ReleaseSituation, type Revision, stay } from "./situation.ts";
import { blockedDecision, busyPhase, failure, rollBack } from "./steps.ts";

/**
 * A revision is pending, and no job of this process works on it. Another client may be about to finish it, unless a job of
 * this process left it behind. After the grace period, a failed upgrade is rolled back; otherwise the record of the
 * revision is removed, and the work is repeated.
 */
export function decidePending(situation: ReleaseSituation, newest: Revision, noted: Attempt | undefined): Decision {
  const { job, blocker, pendingSinceMs = situation.nowMs, switches, nowMs, attempt } = situation;
  const isOurs = job !== undefined && isAfter(newest, job.startedAt);
  const dueMs = pendingSinceMs + switches.graceMs;
  const phase = busyPhase(situation, attempt?.action ?? "install");
  if (!isOurs && nowMs < dueMs) {
    const message = `revision ${newest.revision} is ${newest.status}: another client may still be working on it`;
    return stay(situation, { phase, reason: "ReleasePending", message, dueMs });
  }
  if (blocker !== undefined) return blockedDecision(situation, blocker);
  if (attempt !== undefined && isFailedUpgrade(situation, attempt)) {
    if (!isNoted(attempt, noted)) return failure(situation, attempt);
    const good = goodRevision(situation.revisions, situation.lastGoodRevision);
    if (good !== undefined) return rollBack({ situation, good, attempt });
  }
  const message = `revision ${newest.revision} was interrupted (${newest.status}); discarding it`;
  const step = { type: "forget", revision: newest.revision } as const;
  return stay(situation, { step, phase, reason: "ReleaseInterrupted", message });
}

function isFailedUpgrade({ target, switches }: ReleaseSituation, attempt: Attempt): boolean {
  const isOfTarget = target.kind === "release" && attempt.fingerprint === target.fingerprint;
  return isOfTarget && switches.rollsBack && attempt.action === "upgrade" && attempt.outcome === "Failed";
}

function isAfter({ deployedAt }: Revision, startedAt: string): boolean {
  return deployedAt !== undefined && Date.parse(deployedAt) >= Date.parse(startedAt);
}
