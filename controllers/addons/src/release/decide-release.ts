import { isPending } from "@butler/helm";
import { attemptNow, isActive } from "./attempts.ts";
import { decideAbsence } from "./decide-absence.ts";
import { decideChange } from "./decide-change.ts";
import { decideCurrent } from "./decide-current.ts";
import { decidePending } from "./decide-pending.ts";
import { describeJob } from "./describe.ts";
import { fulfils } from "./revisions.ts";
import { type Decision, type ReleaseSituation, stay } from "./situation.ts";
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

function decideBusy(situation: ReleaseSituation, job: NonNullable<ReleaseSituation["job"]>): Decision {
  const phase = busyPhase(situation, job.action);
  if (job.fingerprint !== situation.target.fingerprint) {
    const message = `canceling the running ${job.action}: the desired state changed`;
    const told = { phase, reason: "Cancelling", message };
    return stay(situation, job.isStopping === true ? told : { ...told, step: { type: "cancel" } });
  }
  return stay(situation, { phase, reason: phase, message: describeJob(job, situation.inspection) });
}
