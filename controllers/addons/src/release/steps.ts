import { begun, retryAtMs } from "./attempts.ts";
import { describeInspection, timeText } from "./describe.ts";
import { runningRevision } from "./revisions.ts";
import {
  type AddonPhase,
  type Attempt,
  type Decision,
  type ReleaseAction,
  type ReleaseBlocker,
  type ReleaseSituation,
  type Revision,
  stay,
} from "./situation.ts";

const phases: Readonly<Record<ReleaseAction, AddonPhase>> = {
  install: "Installing",
  upgrade: "Upgrading",
  repair: "Upgrading",
  rollback: "RollingBack",
  uninstall: "Deleting",
};

/** The phase of a release while a job runs. */
export function busyPhase({ target }: Pick<ReleaseSituation, "target">, action: ReleaseAction): AddonPhase {
  if (target.kind === "absent") return "Deleting";
  // A half-uninstalled release is removed completely, and then installed again.
  return action === "uninstall" ? "Installing" : phases[action];
}

/** Actions that restore a release; they do not wait for dependencies. */
const undoing: ReadonlySet<ReleaseAction> = new Set(["rollback", "repair"]);

/** Starts work, unless it is blocked. */
export function begin(situation: ReleaseSituation, action: ReleaseAction, more: BeginOptions = {}): Decision {
  const { target, blocker, nowMs, attempt } = situation;
  const isBlocked = blocker?.isTotal === true || !undoing.has(action);
  if (blocker !== undefined && isBlocked) return blockedDecision(situation, blocker);
  const version = target.kind === "release" && action !== "rollback" ? target.version : more.version;
  const startedAt = new Date(nowMs).toISOString();
  const next = begun({ action, fingerprint: target.fingerprint, startedAt, version }, attempt);
  const phase = busyPhase(situation, action);
  return stay(situation, {
    step: { type: "start", action, revision: more.revision },
    phase,
    reason: phase,
    message: more.message ?? `starting ${action}`,
    attempt: more.why === undefined ? next : { ...next, reason: more.why.reason, message: more.why.message },
  });
}

/** Details of the work to start. */
export interface BeginOptions {
  readonly revision?: number | undefined;
  readonly version?: string | undefined;
  readonly message?: string | undefined;
  /** The cause. */
  readonly why?: Pick<Attempt, "reason" | "message"> | undefined;
}

/** Retries a failed action when its backoff has elapsed. */
export function beginAgain(
  situation: ReleaseSituation,
  { action, failed, more }: { action: ReleaseAction; failed: Attempt; more?: BeginOptions },
): Decision {
  const atMs = retryAtMs(failed);
  if (situation.nowMs >= atMs) return begin(situation, action, more);
  return { ...failure(situation, failed, atMs), dueMs: atMs };
}

/** The state after a failure. The release is still healthy when an upgrade failed before it changed anything. */
export function failure(situation: ReleaseSituation, attempt: Attempt, retryMs?: number): Decision {
  const { revisions, inspection } = situation;
  const { action, reason = "Failed", message = "" } = attempt;
  const again = retryMs === undefined ? "" : `; retrying at ${timeText(retryMs)}`;
  const told = { reason, message: `${action} failed: ${message}${again}`, attempt };
  const running = runningRevision(revisions);
  if (running === undefined) return stay(situation, { ...told, phase: "Failed" });
  const isWhole = running === revisions[0] && isWell(inspection);
  const state = isWhole ? "" : `; ${describeInspection(inspection)}`;
  return stay(situation, { ...told, phase: isWhole ? "Installed" : "Degraded", message: told.message + state });
}

/** Whether all objects are ready. */
export function isWell(inspection: ReleaseSituation["inspection"]): boolean {
  return inspection !== undefined && inspection.ready === inspection.total;
}

/** Starts nothing new; what is installed keeps running. */
export function blockedDecision(situation: ReleaseSituation, blocker: ReleaseBlocker): Decision {
  const { revisions, inspection } = situation;
  const { phase, reason, message } = blocker;
  if (runningRevision(revisions) === undefined) return stay(situation, { phase, reason, message });
  return stay(situation, { phase: isWell(inspection) ? "Installed" : "Degraded", reason, message });
}

/** Rolls back to the last healthy revision. */
export function rollBack({ situation, good, attempt }: Undoing): Decision {
  const message = `rolling back to revision ${good.revision} because the upgrade failed: ${attempt.message ?? ""}`;
  const why = { reason: "UpgradeFailed", message: attempt.message };
  return begin(situation, "rollback", { revision: good.revision, version: good.version, message, why });
}

interface Undoing {
  readonly situation: ReleaseSituation;
  readonly good: Revision;
  /** What failed. */
  readonly attempt: Attempt;
}
