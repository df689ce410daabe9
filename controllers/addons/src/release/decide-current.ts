import { failed, impliedBy, isNoted, retryAtMs, succeeded } from "./attempts.ts";
import { describeInspection } from "./describe.ts";
import { goodRevision, repeatedRevision } from "./revisions.ts";
import { begin, beginAgain, busyPhase, failure, isWell, rollBack } from "./steps.ts";
import { type Attempt, type Decision, type ReleaseSituation, type Revision, stay } from "./situation.ts";

/** What Helm has done is what is wanted: whether it is well is told by what it made. */
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
 * The revision that a rollback was on its way to when it was broken off before Helm had written it down. What is there may
 * be well, but be of that revision already, so that the rollback is done again and not taken as the end of the upgrade.
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

/** The attempt that led to the revision, if need be as the revision itself tells it. */
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
  const asked = target.kind === "revision" ? `revision ${target.revision} runs again, as asked; ` : "";
  const message = `${asked}${describeInspection(inspection)}`;
  if (!isFailure) return stay(well, { phase: "Installed", reason: "Installed", message, isReady: true });
  // It is there and well, although something about it failed since, such as putting back what was changed.
  return { ...failure(well, attempt), isReady: true };
}

/** An attempt that lasts, or that was given up only because it took so long, has come to a good end. */
function concluded(attempt: Attempt, { revision }: Revision, nowMs: number): Attempt {
  const canEnd = attempt.outcome === "Running" || (attempt.outcome === "Failed" && attempt.reason === notReady);
  return canEnd ? succeeded(attempt, revision, nowMs) : attempt;
}

const notReady = "NotReady";

/** Puts back what was changed; later each time when it does not last, because somebody else may want it so. */
function repair(situation: ReleaseSituation & { attempt: Attempt }): Decision {
  const { attempt, nowMs, drift = [] } = situation;
  const names = drift.map(({ kind, name }) => `${kind} ${name}`).join(", ");
  const message = `puts back what was changed: ${names}`;
  if (attempt.action !== "repair") return begin(situation, "repair", { message });
  if (nowMs >= retryAtMs({ ...attempt, failures: attempt.failures ?? 1 })) {
    const counted = { ...attempt, failures: (attempt.failures ?? 1) + 1 };
    return begin({ ...situation, attempt: counted }, "repair", { message });
  }
  const told = { phase: "Installed", reason: "Drifted", message: `was changed again after it was put back: ${names}` };
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
    message: `not everything was ready in time: ${describeInspection(inspection)}`,
  });
  return stay(situation, { ...told, reason: notReady, attempt: { ...late, revision: newest.revision } });
}

/** It was given up. An upgrade is undone; what nothing came before stays, and may still become ready. */
function decideNeverReady(situation: ReleaseSituation, { attempt, noted }: Unready): Decision {
  const { revisions, lastGoodRevision, switches, target } = situation;
  const good = goodRevision(revisions, lastGoodRevision);
  const canGoBack = target.kind === "release" && attempt.action === "upgrade" && switches.rollsBack;
  if (!isNoted(attempt, noted)) return failure(situation, attempt);
  if (good !== undefined && canGoBack) return rollBack({ situation, good, attempt });
  // Helm broke off before it was done, and yet has what was wanted: that is put right by doing it again.
  if (attempt.reason !== notReady && target.kind === "release") {
    return beginAgain(situation, { action: attempt.action, failed: attempt });
  }
  const decision = failure(situation, attempt);
  return { ...decision, phase: good === undefined ? "Failed" : "Degraded" };
}
