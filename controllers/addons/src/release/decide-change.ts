import { failed, impliedBy, isNoted, succeeded } from "./attempts.ts";
import { describeInspection } from "./describe.ts";
import { goodRevision, isBrokenOff, repeatedRevision, runningRevision, undoneRevision } from "./revisions.ts";
import { begin, beginAgain, failure, isWell, rollBack } from "./steps.ts";
import {
  type Attempt,
  type Decision,
  type ReleaseAction,
  type ReleaseSituation,
  type Revision,
  stay,
} from "./situation.ts";

/** The release differs from the desired state: changes it, unless that was tried and failed. */
export function decideChange(situation: ReleaseSituation, noted: Attempt | undefined): Decision {
  const { target, revisions } = situation;
  const tried = triedAlready(situation);
  if (target.kind === "revision") return decideManualRollback(situation, { tried, noted, revision: target.revision });
  if (tried === undefined) return begin(situation, firstAction(situation));
  const known = { ...situation, attempt: tried };
  const undone = undoneRevision(revisions, target.fingerprint);
  if (undone !== undefined) return decideUndone(known, tried, undone);
  if (tried.outcome !== "Failed") return beginOrGoBack(known, tried);
  if (!isNoted(tried, noted)) return failure(known, tried);
  return decideAfterFailure(known, tried);
}

/** After an interrupted rollback, rolls back again instead of retrying the failed upgrade. */
function beginOrGoBack(situation: ReleaseSituation, tried: Attempt): Decision {
  const good = goodRevision(situation.revisions, situation.lastGoodRevision);
  const isInterrupted = tried.action === "rollback" && tried.outcome !== "Succeeded" && hasChanged(situation);
  if (isInterrupted && good !== undefined) return rollBack({ situation, good, attempt: tried });
  return begin(situation, firstAction(situation));
}

/** Whether an attempt changed the release; otherwise there is nothing to roll back. */
function hasChanged({ revisions: [newest], target }: ReleaseSituation): boolean {
  return newest?.status === "failed" || newest?.fingerprint === target.fingerprint;
}

function firstAction({ revisions }: ReleaseSituation): ReleaseAction {
  return revisions.some(({ status }) => status === "deployed" || status === "superseded") ? "upgrade" : "install";
}

/**
 * The attempt at the desired state, if there was one. A failure recorded only by Helm counts, too, and so does a revision
 * that another client replaced right after we created it.
 */
function triedAlready(situation: ReleaseSituation): Attempt | undefined {
  const { attempt, target, revisions } = situation;
  const own = attempt?.fingerprint === target.fingerprint ? attempt : undefined;
  if (own !== undefined && (own.outcome !== "Running" || !making.has(own.action))) return own;
  if (own !== undefined && isDone(own, situation)) return overtaken(own, situation);
  const [newest] = revisions;
  const hasFailed = newest?.status === "failed" && newest.fingerprint === target.fingerprint;
  return hasFailed && !isBrokenOff(newest) ? failureIn(newest, own, situation) : own;
}

function isDone({ startedAt }: Attempt, { job }: ReleaseSituation): boolean {
  return job?.startedAt === startedAt && job.state === "succeeded";
}

function overtaken(own: Attempt, { nowMs }: ReleaseSituation): Attempt {
  const message = "the new revision was replaced: another client is changing the same release";
  return failed(own, { at: new Date(nowMs).toISOString(), reason: "ChangedByAnother", message });
}

/** Actions that install the desired state, as opposed to rolling it back. */
const making: ReadonlySet<ReleaseAction> = new Set(["install", "upgrade", "repair"]);

function failureIn(
  newest: Revision,
  own: Attempt | undefined,
  { target, revisions, nowMs }: ReleaseSituation,
): Attempt {
  const action = revisions.length > 1 ? "upgrade" : "install";
  const begun = own ?? impliedBy(newest, { action, fingerprint: target.fingerprint, nowMs });
  return failed(begun, { at: begun.startedAt, reason: "HelmFailed", message: newest.description });
}

/** An upgrade failed and was rolled back: the previous revision runs again, and the upgrade is not retried. */
function decideUndone(situation: ReleaseSituation, tried: Attempt, undone: Revision): Decision {
  const { revisions, inspection, nowMs, switches } = situation;
  const [newest] = revisions;
  if (newest === undefined) return failure(situation, tried);
  const attempt = tried.action === "rollback" ? tried : undoneBy(situation, tried);
  const rolledBackTo = repeatedRevision(newest);
  const said = undone.status === "failed" ? undone.description : attempt.message;
  const why = `the upgrade failed and was rolled back: ${said ?? ""}`;
  const told = { reason: "UpgradeFailed", rolledBackTo };
  if (isWell(inspection)) {
    const ended = { ...succeeded(attempt, newest.revision, nowMs), reason: attempt.reason, message: attempt.message };
    const settled = attempt.outcome === "Succeeded" ? attempt : ended;
    const message = `${why}; ${describeInspection(inspection)}`;
    const lastGoodRevision = newest.revision;
    return stay(situation, { ...told, phase: "Installed", message, attempt: settled, lastGoodRevision });
  }
  const dueMs = Date.parse(newest.deployedAt ?? attempt.startedAt) + switches.timeoutMs;
  const message = `${why}; ${describeInspection(inspection)}`;
  const isOver = nowMs >= dueMs || attempt.outcome !== "Running";
  return stay(situation, { ...told, phase: isOver ? "Degraded" : "RollingBack", message, attempt, dueMs });
}

/** The rollback that finished before the status recorded it. */
function undoneBy({ revisions, target, nowMs }: ReleaseSituation, tried: Attempt): Attempt {
  const [newest] = revisions;
  if (newest === undefined) return tried;
  const rollback = impliedBy(newest, { action: "rollback", fingerprint: target.fingerprint, nowMs });
  return { ...rollback, reason: "UpgradeFailed", message: tried.message };
}

function decideAfterFailure(situation: ReleaseSituation, tried: Attempt): Decision {
  const { revisions, lastGoodRevision, switches } = situation;
  const good = goodRevision(revisions, lastGoodRevision);
  if (good === undefined || !hasChanged(situation) || !switches.rollsBack) {
    return beginAgain(situation, { action: firstAction(situation), failed: tried });
  }
  if (tried.action !== "rollback") return rollBack({ situation, good, attempt: tried });
  const more = {
    revision: good.revision,
    version: good.version,
    why: { reason: tried.reason, message: tried.message },
  };
  return beginAgain(situation, { action: "rollback", failed: tried, more });
}

interface ManualRollback {
  readonly tried: Attempt | undefined;
  readonly noted: Attempt | undefined;
  readonly revision: number;
}

function decideManualRollback(situation: ReleaseSituation, { tried, noted, revision }: ManualRollback): Decision {
  const { revisions } = situation;
  const wanted = revisions.find((candidate) => candidate.revision === revision);
  const canRun = wanted?.status === "superseded" || wanted?.status === "deployed";
  if (!canRun) {
    const usable = revisions.filter(({ status }) => status === "superseded" || status === "deployed");
    const known = usable.map((candidate) => candidate.revision).join(", ") || "none";
    const message = `cannot roll back to revision ${revision}; set spec.rollbackTo to one of: ${known}`;
    const phase = runningRevision(revisions) === undefined ? "Failed" : "Degraded";
    return stay(situation, { phase, reason: "RevisionNotFound", message });
  }
  const message = `rolling back to revision ${revision}, as set in spec.rollbackTo`;
  const more = { revision, version: wanted.version, message };
  if (tried?.outcome !== "Failed") return begin(situation, "rollback", more);
  const known = { ...situation, attempt: tried };
  if (!isNoted(tried, noted)) return failure(known, tried);
  return beginAgain(known, { action: "rollback", failed: tried, more });
}
