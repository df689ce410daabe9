import { annotations, type ManagementAddon, namespaces } from "@butler/api";
import { holds, lacks, type Plan } from "@butler/controller";
import { type Blocker, type ConditionStatement, isBeingDeleted } from "@butler/resource";
import { isActive } from "../release/attempts.ts";
import type { ReleaseEffect } from "../release/effects.ts";
import { jobKeyOf } from "../release/job-key.ts";
import { nextLookIn, problemIn, viewIn } from "../release/observation.ts";
import {
  absent,
  eventsOf,
  planRelease,
  type ReleaseCase,
  requeueAfter,
  targetOf,
  transitionTime,
} from "../release/plan-release.ts";
import { reportRelease } from "../release/report.ts";
import { runningRevision } from "../release/revisions.ts";
import { type Decision, type ReleaseBlocker, type ReleaseTarget, type Revision, stay } from "../release/situation.ts";
import type { Observed } from "./observe.ts";

/** The plan of an add-on of the management cluster. */
export type ManagementAddonPlan = Plan<ReleaseEffect>;

/** The Helm release that this process itself may belong to. */
const ownRelease = { release: "butler", namespace: namespaces.system };

/** Plans an add-on of the management cluster. */
export function plan(observed: Observed, now: Date): ManagementAddonPlan {
  const { addon, observation, wanted } = observed;
  if (isBeingDeleted(addon)) return planDeletion(observed, now);
  const refused = refusalOf(observed);
  if (refused !== undefined)
    return tell(observed, { decision: stay(notedOf(addon), { phase: "Failed", ...refused }) }, now);
  const view = viewIn(observed.observation);
  const problem = problemIn(observation);
  if (problem !== undefined && !isActive(observed.job)) {
    const message = `cannot inspect the release: ${problem.message}`;
    const phase = phaseOf(addon);
    return tell(observed, { decision: stay(notedOf(addon), { phase, reason: "ClusterUnreadable", message }) }, now);
  }
  if ("fault" in wanted) {
    const phase = runningRevision(view.revisions) === undefined ? "Failed" : "Degraded";
    const decision = stay(notedOf(addon), { phase, ...wanted.fault });
    return tell(observed, { decision, revisions: view.revisions }, now);
  }
  const { decision, effects } = planRelease(caseOf(observed, targetOf(wanted.wanted, addon.spec.rollbackTo)), now);
  return tell(observed, { decision, effects, revisions: view.revisions }, now);
}

function refusalOf(observed: Observed): Blocker | undefined {
  const { isAllowed, place, others } = observed;
  if (!isAllowed) return { reason: "NotPermitted", message: notPermitted };
  if (place !== undefined && place.release === ownRelease.release && place.namespace === ownRelease.namespace) {
    const message =
      "this release is Butler itself, which is not an add-on; upgrade it with `helm upgrade` or `butleradm`";
    return { reason: "OwnRelease", message };
  }
  const owner = others.get(viewIn(observed.observation).revisions[0]?.owner ?? "");
  if (owner === undefined) return undefined;
  return { reason: "ReleaseTaken", message: `the release belongs to ManagementAddon ${owner}` };
}

const notPermitted =
  "management cluster add-ons are disabled; set managementAddons.enabled to true in the Butler chart values";

function planDeletion(observed: Observed, now: Date): ManagementAddonPlan {
  const { addon, isAllowed, observation, place } = observed;
  const isBusy = isActive(observed.job);
  const isAbandoned = addon.metadata.annotations?.[annotations.abandon] === "true";
  const isNothing = place === undefined || addon.status?.lastAttempt === undefined || isOwnRelease(observed);
  if ((isAbandoned || isNothing) && !isBusy) return { finalizer: "release" };
  const problem = isAllowed ? problemIn(observation)?.message : notPermitted;
  return problem === undefined || isBusy ? uninstall(observed, now) : stillThere(observed, problem, now);
}

function stillThere(observed: Observed, problem: string, now: Date): ManagementAddonPlan {
  const message = `cannot be uninstalled: ${problem}; to delete it anyway, set the annotation ${annotations.abandon}: "true"`;
  const reason = observed.isAllowed ? "ClusterUnreadable" : "NotPermitted";
  return tell(observed, { decision: stay(notedOf(observed.addon), { phase: "Deleting", reason, message }) }, now);
}

function uninstall(observed: Observed, now: Date): ManagementAddonPlan {
  const found = caseOf(observed, absent);
  const revisions = ownRevisions(observed, found.view.revisions);
  const { decision, effects } = planRelease({ ...found, view: { ...found.view, revisions } }, now);
  return decision.isGone === true ? { finalizer: "release" } : tell(observed, { decision, effects, revisions }, now);
}

function isOwnRelease({ place }: Observed): boolean {
  return place?.release === ownRelease.release && place.namespace === ownRelease.namespace;
}

function ownRevisions({ addon, others }: Observed, revisions: readonly Revision[]): readonly Revision[] {
  const isOurs = revisions.some(({ owner }) => owner === addon.metadata.uid) && !others.has(revisions[0]?.owner ?? "");
  return isOurs ? revisions : [];
}

const uninstallTimeoutMs = 300_000;

function caseOf(observed: Observed, target: ReleaseTarget): ReleaseCase {
  const { addon, wanted, place = ownRelease, job, graceMs } = observed;
  const { spec, metadata } = addon;
  const known = "wanted" in wanted ? wanted.wanted : undefined;
  return {
    key: jobKeyOf("management", metadata),
    uid: metadata.uid ?? "",
    cluster: { kind: "management" },
    isBaseline: true,
    place,
    target,
    wanted: known,
    noted: notedOf(addon),
    view: viewIn(observed.observation),
    job,
    blocker: blockerOf(observed),
    switches: {
      rollsBack: spec.rollback?.automatic ?? true,
      repairsDrift: spec.driftPolicy === "Repair",
      timeoutMs: known?.timeoutMs ?? uninstallTimeoutMs,
      graceMs,
    },
  };
}

function blockerOf({ addon, missing }: Observed): ReleaseBlocker | undefined {
  if (addon.spec.paused === true) {
    const message = "not reconciled because spec.paused is set";
    return { isTotal: true, phase: phaseOf(addon), reason: "Paused", message };
  }
  if (missing.length === 0) return undefined;
  const message = `waiting for ${missing.join(", ")} to be ready on the management cluster`;
  return { phase: "WaitingForDependencies", reason: "WaitingForDependencies", message };
}

function notedOf({ status }: ManagementAddon): ReleaseCase["noted"] {
  return { attempt: status?.lastAttempt, lastGoodRevision: status?.lastGoodRevision };
}

function phaseOf({ status }: ManagementAddon): Decision["phase"] {
  const { phase = "Pending" } = status ?? {};
  return phase === "Uninstalling" ? "Deleting" : phase;
}

interface Outcome {
  readonly decision: Decision;
  readonly effects?: readonly ReleaseEffect[];
  readonly revisions?: readonly Revision[];
}

function tell(observed: Observed, { decision, effects = [], revisions = [] }: Outcome, now: Date): ManagementAddonPlan {
  const { addon, place, wanted, observation, unreachableMs } = observed;
  const seen = revisions.length === 0 ? undefined : observation;
  const report = reportRelease({ decision, place, wanted, view: { ...viewIn(seen), revisions } });
  const phase = report.phase === "Deleting" ? "Uninstalling" : report.phase;
  const lastTransitionTime = transitionTime(addon.status, phase, now);
  const lastAttemptedVersion = decision.attempt?.version ?? addon.status?.lastAttemptedVersion;
  return {
    finalizer: "hold",
    effects,
    status: { ...report.status, phase, lastTransitionTime, lastAttemptedVersion },
    conditions: [dependenciesMet(observed), ...report.conditions],
    events: eventsOf(decision, runningRevision(revisions)?.version ?? ""),
    requeueAfterMs: requeueAfter(decision, nextLookIn(observation) ?? unreachableMs, now),
  };
}

function dependenciesMet({ missing }: Observed): ConditionStatement {
  return missing.length === 0
    ? holds("DependenciesMet", "AllReady", "all dependencies are ready")
    : lacks("DependenciesMet", "Waiting", `waiting for ${missing.join(", ")}`);
}
