import { failed, impliedBy, isNoted, retryAtMs, succeeded } from "./attempts.ts";
import { describeInspection } from "./describe.ts";
import { goodRevision, repeatedRevision } from "./revisions.ts";
import { begin, beginAgain, busyPhase, failure, isWell, rollBack } from "./steps.ts";
import { type Attempt, type Decision, type ReleaseSituation, type Revision, stay } from "./situation.ts";

/** The release matches the desired state: its objects decide whether it is healthy. */
export function decideCurrent(situation: ReleaseSituation, newest: Revision, noted: Attempt | undefined): Decision {
  const { inspection, lastGoodRevision } = situation;
  const attempt = attemptFor(situation, newest);
  const rolledBackTo = repeatedRevision(newest);
  const known = { ...situation, attempt };
  const good = interruptedRollback(known, attempt, newest);
  if (good !== undefined) return rollBack({ situation: known, good, attempt });
  if (isWell(inspection)) return { ...decideWell(known, newest), rolledBackTo };
  if (lastGoodRevision === newest.revision) {
    const message = describeInspection(inspection);
    return stay(known, { phase: "Degraded", reason: "NotReady", message, rolledBackTo });
  }
  return { ...decideUnready(known, { attempt, noted, newest }), rolledBackTo };
}

/**
 * The target of a rollback that was interrupted before Helm recorded it. The objects may be healthy because they belong to
 * that revision already, so the rollback is repeated instead of treating the upgrade as finished.
 */
function interruptedRollback(situation: ReleaseSituation, attempt: Attempt, newest: Revision): Revision | undefined {
  const { target, revisions, lastGoodRevision } = situation;
  const isInterrupted =
    target.kind === "release" &&
    attempt.action === "rollback" &&
    attempt.outcome === "Running" &&
    repeatedRevision(newest) === undefined;
  return isInterrupted ? goodRevision(revisions, lastGoodRevision) : undefined;
}

/** The attempt that led to the revision, or the one implied by the revision. */
function attemptFor({ attempt, target, revisions, nowMs }: ReleaseSituation, newest: Revision): Attempt {
  const isOfTarget = attempt !== undefined && attempt.fingerprint === target.fingerprint;
  if (isOfTarget && attempt.action !== "uninstall" && attempt.outcome !== "Cancelled") {
    const isEarlier = attempt.outcome === "Succeeded" && attempt.revision !== newest.revision;
    if (!isEarlier) return attempt;
  }
  const later = repeatedRevision(newest) === undefined ? "upgrade" : "rollback";
  const action = revisions.length > 1 ? later : "install";
  return impliedBy(newest, { action, fingerprint: target.fingerprint, nowMs });
}

function decideWell(situation: ReleaseSituation & { attempt: Attempt }, newest: Revision): Decision {
  const { target, nowMs, drift = [], switches, inspection } = situation;
  const attempt = concluded(situation.attempt, newest, nowMs);
  const well = { ...situation, attempt, lastGoodRevision: newest.revision };
  if (drift.length > 0 && switches.repairsDrift && target.kind === "release") return repair(well);
  const isFailure = attempt.outcome === "Failed";
  const asked = target.kind === "revision" ? `rolled back to revision ${target.revision}; ` : "";
  const message = `${asked}${describeInspection(inspection)}`;
  if (!isFailure) return stay(well, { phase: "Installed", reason: "Installed", message, isReady: true });
  // It is installed and healthy, although a later action failed, such as reverting drift.
  return { ...failure(well, attempt), isReady: true };
}

/** An attempt that is running, or that failed only because it timed out, has succeeded. */
function concluded(attempt: Attempt, { revision }: Revision, nowMs: number): Attempt {
  const canEnd = attempt.outcome === "Running" || (attempt.outcome === "Failed" && attempt.reason === notReady);
  return canEnd ? succeeded(attempt, revision, nowMs) : attempt;
}

const notReady = "NotReady";

/** Reverts drift; with backoff when it recurs, because another client may want the change. */
function repair(situation: ReleaseSituation & { attempt: Attempt }): Decision {
  const { attempt, nowMs, drift = [] } = situation;
  const names = drift.map(({ kind, name }) => `${kind} ${name}`).join(", ");
  const message = `reverting drift: ${names}`;
  if (attempt.action !== "repair") return begin(situation, "repair", { message });
  if (nowMs >= retryAtMs({ ...attempt, failures: attempt.failures ?? 1 })) {
    const counted = { ...attempt, failures: (attempt.failures ?? 1) + 1 };
    return begin({ ...situation, attempt: counted }, "repair", { message });
  }
  const told = { phase: "Installed", reason: "Drifted", message: `changed again after drift was reverted: ${names}` };
  return stay(situation, { ...told, phase: "Installed", isReady: true, dueMs: retryAtMs(attempt) });
}

interface Unready {
  readonly attempt: Attempt;
  readonly noted: Attempt | undefined;
  readonly newest: Revision;
}

function decideUnready(situation: ReleaseSituation, { attempt, noted, newest }: Unready): Decision {
  const { inspection, switches, nowMs } = situation;
  const startedMs = Math.max(Date.parse(attempt.startedAt), Date.parse(newest.deployedAt ?? attempt.startedAt));
  const dueMs = startedMs + switches.timeoutMs;
  if (attempt.outcome === "Failed") return decideNeverReady(situation, { attempt, noted, newest });
  const phase = busyPhase(situation, attempt.action);
  const told = { phase, reason: phase, message: describeInspection(inspection) };
  if (nowMs < dueMs || inspection === undefined) return stay(situation, { ...told, attempt, dueMs });
  const late = failed(attempt, {
    at: new Date(nowMs).toISOString(),
    reason: notReady,
    message: `not ready in time: ${describeInspection(inspection)}`,
  });
  return stay(situation, { ...told, reason: notReady, attempt: { ...late, revision: newest.revision } });
}

/** The attempt failed. An upgrade is rolled back; a first installation stays, and may still become ready. */
function decideNeverReady(situation: ReleaseSituation, { attempt, noted }: Unready): Decision {
  const { revisions, lastGoodRevision, switches, target } = situation;
  const good = goodRevision(revisions, lastGoodRevision);
  const canGoBack = target.kind === "release" && attempt.action === "upgrade" && switches.rollsBack;
  if (!isNoted(attempt, noted)) return failure(situation, attempt);
  if (good !== undefined && canGoBack) return rollBack({ situation, good, attempt });
  // Helm failed before it finished, although the revision is the desired one: repeating the action fixes it.
  if (attempt.reason !== notReady && target.kind === "release") {
    return beginAgain(situation, { action: attempt.action, failed: attempt });
  }
  const decision = failure(situation, attempt);
  return { ...decision, phase: good === undefined ? "Failed" : "Degraded" };
}
