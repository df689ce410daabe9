import type { WantedRelease } from "@butler/addons";
import type { PlannedEvent } from "@butler/controller";
import { decideRelease } from "./decide-release.ts";
import type { ReleaseCluster, ReleaseEffect } from "./effects.ts";
import type { ReleaseView } from "./observation.ts";
import type { ReleasePlace } from "./read-history.ts";
import type { Attempt, Decision, JobView, ReleaseBlocker, ReleaseSwitches, ReleaseTarget } from "./situation.ts";

/** A release and all that is known about it. */
export interface ReleaseCase {
  /** The object of the release. */
  readonly key: string;
  readonly uid: string;
  readonly cluster: ReleaseCluster;
  /** Whether it is a baseline add-on, which has places of its own for its jobs. */
  readonly isBaseline: boolean;
  readonly place: ReleasePlace;
  readonly target: ReleaseTarget;
  readonly wanted: WantedRelease | undefined;
  /** What the object's status says. */
  readonly noted: { readonly attempt: Attempt | undefined; readonly lastGoodRevision: number | undefined };
  readonly view: ReleaseView;
  readonly job: JobView | undefined;
  readonly blocker: ReleaseBlocker | undefined;
  readonly switches: ReleaseSwitches;
}

/** The plan of a release. */
export interface ReleasePlan {
  readonly decision: Decision;
  readonly effects: readonly ReleaseEffect[];
}

/** Decides the next step for a release, and the effects. */
export function planRelease(input: ReleaseCase, now: Date): ReleasePlan {
  const { target, view, job, noted, blocker, switches } = input;
  const { revisions, pendingSinceMs, inspection, drift } = view;
  const decision = decideRelease({
    target,
    revisions,
    pendingSinceMs,
    job,
    attempt: noted.attempt,
    lastGoodRevision: noted.lastGoodRevision,
    inspection,
    drift,
    blocker,
    switches,
    nowMs: now.getTime(),
  });
  return { decision, effects: effectsOf(input, decision) };
}

function effectsOf(input: ReleaseCase, { step, attempt }: Decision): readonly ReleaseEffect[] {
  const { key, uid, cluster, isBaseline, place, target, wanted, switches } = input;
  const { release, namespace } = place;
  switch (step.type) {
    case "none":
      return [];
    case "cancel":
      return [{ type: "cancelJob", key }];
    case "forget":
      return [{ type: "forgetRevision", key, cluster, release, namespace, revision: step.revision }];
    case "start": {
      const { action, revision } = step;
      const startedAt = attempt?.startedAt ?? "";
      const { timeoutMs } = switches;
      const work = { action, fingerprint: target.fingerprint, startedAt, timeoutMs, isBaseline, wanted, revision };
      return [{ type: "startJob", key, uid, cluster, release, namespace, ...work }];
    }
  }
}

/** The target of an uninstall. */
export const absent: ReleaseTarget = { kind: "absent", fingerprint: "absent" };

/** The desired state of a release: an earlier revision if spec.rollbackTo is set, otherwise the wanted release. */
export function targetOf(wanted: WantedRelease, rollbackTo: number | undefined): ReleaseTarget {
  if (rollbackTo !== undefined)
    return { kind: "revision", fingerprint: `revision-${rollbackTo}`, revision: rollbackTo };
  return { kind: "release", fingerprint: wanted.fingerprint, version: wanted.source.version };
}

/** The events of a decision. */
export function eventsOf({ attempt, isReady, rolledBackTo, reason }: Decision, version: string): PlannedEvent[] {
  const events: PlannedEvent[] = [];
  if (attempt?.outcome === "Failed") {
    const { action, reason: why = "Failed", message = "" } = attempt;
    events.push({ type: "Warning", reason: why, message: `${action} failed: ${message}` });
  }
  if (reason === "UpgradeFailed" && rolledBackTo !== undefined) {
    const message = `the upgrade failed; rolled back to revision ${rolledBackTo}`;
    events.push({ type: "Warning", reason: "RolledBack", message });
  }
  if (isReady) {
    events.push({ type: "Normal", reason: "Installed", message: `version ${version} is installed and ready` });
  }
  return events;
}

/** Requeues when something is due, no later than for the next inspection. */
export function requeueAfter(decision: Decision, nextLookMs: number, now: Date): number {
  const inMs = decision.dueMs === undefined ? Number.POSITIVE_INFINITY : decision.dueMs - now.getTime();
  return inMs > 0 ? Math.min(inMs, nextLookMs) : nextLookMs;
}

/** When the phase last changed. */
export function transitionTime(
  status: { readonly phase?: string | undefined; readonly lastTransitionTime?: string | undefined } | undefined,
  phase: string,
  now: Date,
): string {
  const isSame = status?.phase === phase && status.lastTransitionTime !== undefined;
  return isSame ? (status.lastTransitionTime ?? "") : now.toISOString().replace(/\.\d+Z$/, "Z");
}
