import { isPending } from "@butler/helm";
import { attemptNow, isActive } from "./attempts.ts";
import { decideAbsence } from "./decide-absence.ts";
import { decideChange } from "./decide-change.ts";
import { decideCurrent } from "./decide-current.ts";
import { decidePending } from "./decide-pending.ts";
import { describeJob } from "./describe.ts";
import { fulfils } from "./revisions.ts";
import { type Decision, type JobView, type ReleaseSituation, stay } from "./situation.ts";
import { begin, busyPhase } from "./steps.ts";

/**
 * Decides the next step for a release. A stateless state machine: its state follows from Helm's revisions, from the job
 * that this process runs, and from the last attempt in the status. A failure is recorded in the status before it is acted
 * on, so that a crash loses no failure.
 */
export function decideRelease(situation: ReleaseSituation): Decision {
  const { target, revisions, job } = situation;
  const known: ReleaseSituation = { ...situation, attempt: attemptNow(situation) };
  if (isActive(job)) return decideBusy(known, job);
  if (target.kind === "absent") return decideAbsence(known);
  const [newest] = revisions;
  // An uninstall was started and not finished.
  if (newest?.status === "uninstalling") return begin(known, "uninstall");
  const noted = situation.attempt;
  if (newest !== undefined && isPending(newest)) return decidePending(known, newest, noted);
  return fulfils(newest, target) ? decideCurrent(known, newest, noted) : decideChange(known, noted);
}

/** A job whose result is no longer wanted, or that may take longer than it now may, is canceled. */
function decideBusy(situation: ReleaseSituation, job: JobView): Decision {
  const phase = busyPhase(situation, job.action);
  const why = cancelReason(situation, job);
  if (why === undefined)
    return stay(situation, { phase, reason: phase, message: describeJob(job, situation.inspection) });
  const told = { phase, reason: "Cancelling", message: `canceling the running ${job.action}: ${why}` };
  return stay(situation, job.isStopping === true ? told : { ...told, step: { type: "cancel" } });
}

function cancelReason({ target, switches }: ReleaseSituation, job: JobView): string | undefined {
  if (job.fingerprint !== target.fingerprint) return "the desired state changed";
  const isShortened = job.action !== "uninstall" && (job.timeoutMs ?? 0) > switches.timeoutMs;
  return isShortened ? "its timeout was shortened" : undefined;
}
