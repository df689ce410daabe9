import { annotations } from "@butler/api";
import { holds, lacks, type Plan, type PlannedEvent } from "@butler/controller";
import { blocked, type Blocker, type ConditionStatement, isBeingDeleted } from "@butler/resource";
import { isActive } from "../release/attempts.ts";
import type { ReleaseEffect } from "../release/effects.ts";
import { jobKeyOf } from "../release/job-key.ts";
import { type LookProblem, nextLookIn, problemIn, viewIn } from "../release/observation.ts";
import { eventsOf, planRelease, type ReleaseCase, requeueAfter, transitionTime } from "../release/plan-release.ts";
import { reportRelease } from "../release/report.ts";
import { runningRevision } from "../release/revisions.ts";
import { type Decision, type Revision, stay } from "../release/situation.ts";
import { caseOf, caseOfRemoval, notedOf } from "./addon-case.ts";
import type { Observed } from "./observed.ts";

/** The plan of an add-on. */
export type AddonPlan = Plan<ReleaseEffect>;

/**
 * Plans an add-on of a tenant cluster: what it waits for, the work on its release, and its status.
 */
export function plan(observed: Observed, now: Date): AddonPlan {
  const { addon, sight, observation } = observed;
  if (isBeingDeleted(addon)) return planDeletion(observed, now);
  if (sight.state === "missing" || sight.state === "leaving") return planWithoutCluster(observed, now);
  const problem = problemIn(observation);
  if (problem !== undefined && !isActive(observed.job)) return planUnreachable(observed, problem, now);
  const found = caseOf(observed);
  return "decision" in found ? tell(observed, found, now) : planMoveOrChange(observed, found, now);
}

function planMoveOrChange(observed: Observed, found: ReleaseCase, now: Date): AddonPlan {
  const { decision, effects } = planRelease(found, now);
  if (!observed.isMoving) return tell(observed, { decision, effects, revisions: found.view.revisions }, now);
  const { place, wanted } = observed;
  const to = wanted !== undefined && "wanted" in wanted ? wanted.wanted : undefined;
  const message = `moving from ${place?.namespace}/${place?.release} to ${to?.namespace}/${to?.release}: ${decision.message}`;
  const moving = { ...decision, phase: "Upgrading", reason: "Moving", message } as const;
  const next = decision.isGone === true ? to : place;
  return tell({ ...observed, place: next }, { decision: moving, effects, revisions: found.view.revisions }, now);
}

/** A decision to report, and its effects. */
interface Outcome {
  readonly decision: Decision;
  readonly effects?: readonly ReleaseEffect[] | undefined;
  /** The revisions that are the add-on's own; none when absent. */
  readonly revisions?: readonly Revision[] | undefined;
}

function tell(observed: Observed, { decision, effects = [], revisions = [] }: Outcome, now: Date): AddonPlan {
  const { addon, place, wanted, observation, unreachableMs } = observed;
  const seen = revisions.length === 0 ? undefined : observation;
  const report = reportRelease({ decision, place, wanted, view: { ...viewIn(seen), revisions } });
  const lastTransitionTime = transitionTime(addon.status, report.phase, now);
  return {
    finalizer: "hold",
    effects,
    status: { ...report.status, phase: report.phase, lastTransitionTime },
    conditions: [clusterReady(observed), dependenciesMet(observed), ...report.conditions],
    events: eventsOf(decision, runningRevision(revisions)?.version ?? ""),
    requeueAfterMs: requeueAfter(decision, nextLookIn(observation) ?? unreachableMs, now),
  };
}

/** Without a cluster, the add-on waits for it. */
function planWithoutCluster(observed: Observed, now: Date): AddonPlan {
  const { sight, job, addon } = observed;
  const decision = stay(notedOf(addon), { phase: "Pending", reason: sight.reason, message: sight.message });
  const { requeueAfterMs: _none, ...told } = tell(observed, { decision, effects: cancelling(observed) }, now);
  return isActive(job) ? { ...told, requeueAfterMs: observed.unreachableMs } : told;
}

/** The cluster is unreachable: keeps the known state of the add-on, and retries soon. */
function planUnreachable(observed: Observed, problem: LookProblem, now: Date): AddonPlan {
  const { addon, unreachableMs } = observed;
  const { reason } = problem;
  const isSilent = reason === "TenantUnreachable";
  const message = `${isSilent ? "the tenant cluster is unreachable" : "cannot read the release"}: ${problem.message}`;
  const { conditions = [], observedGeneration: _generation, ...status } = addon.status ?? {};
  const phase = status.phase ?? "Pending";
  const kept = conditions
    .filter(({ type }) => type === "Installed" || type === "InSync")
    .map(({ type, status: holding, reason: why, message: text }) => ({
      type,
      status: holding,
      reason: why,
      message: text,
    }));
  const unknown = { status: "Unknown", reason, message } as const;
  return {
    finalizer: "hold",
    status: { ...status, phase, message, lastTransitionTime: transitionTime(addon.status, phase, now) },
    conditions: [
      clusterReady(observed),
      dependenciesMet(observed),
      ...kept,
      { type: "Healthy", ...unknown },
      { type: "Ready", ...unknown },
    ],
    requeueAfterMs: unreachableMs,
  };
}

function planDeletion(observed: Observed, now: Date): AddonPlan {
  const { addon, sight, place } = observed;
  if (sight.state === "missing" || sight.state === "leaving") {
    const message = `removed without uninstalling: ${sight.message}`;
    return leave(observed, now, { type: "Normal", reason: sight.reason, message });
  }
  if (addon.metadata.annotations?.[annotations.abandon] === "true") {
    const message = `removed without uninstalling, as requested; objects of release ${place?.release ?? ""} may still be in the cluster`;
    return leave(observed, now, { type: "Warning", reason: "Abandoned", message });
  }
  return planRemoval(observed, now);
}

function planRemoval(observed: Observed, now: Date): AddonPlan {
  const { addon, sight, place, observation, job } = observed;
  const found = caseOfRemoval(observed);
  if (found === undefined) {
    const wasTried = place !== undefined && addon.status?.lastAttempt !== undefined;
    return wasTried ? stillThere(observed, sight, now) : leave(observed, now);
  }
  const problem = problemIn(observation);
  return problem === undefined || isActive(job) ? uninstall(observed, found, now) : stillThere(observed, problem, now);
}

function uninstall(observed: Observed, found: ReleaseCase, now: Date): AddonPlan {
  const { decision, effects } = planRelease(found, now);
  if (decision.isGone === true) return { finalizer: "release" };
  const message = decision.attempt?.outcome === "Failed" ? `${decision.message}; ${wayOut}` : decision.message;
  return tell(observed, { decision: { ...decision, message }, effects, revisions: found.view.revisions }, now);
}

const wayOut = `to delete it anyway, set the annotation ${annotations.abandon}: "true"`;

/** Removes the finalizer as soon as no job runs for the object. */
function leave(observed: Observed, now: Date, event?: PlannedEvent): AddonPlan {
  const events = event === undefined ? [] : [event];
  if (!isActive(observed.job)) return { finalizer: "release", events };
  const message = "canceling the running job before the add-on is deleted";
  const decision = stay(notedOf(observed.addon), { phase: "Deleting", reason: "Cancelling", message });
  return { ...tell(observed, { decision, effects: cancelling(observed) }, now), events };
}

function stillThere(observed: Observed, problem: Blocker, now: Date): AddonPlan {
  const message = `cannot be uninstalled: ${problem.message}; ${wayOut}`;
  const decision = stay(notedOf(observed.addon), { phase: "Deleting", reason: problem.reason, message });
  return tell(observed, { decision, effects: cancelling(observed) }, now);
}

function cancelling({ job, addon }: Observed): readonly ReleaseEffect[] {
  const isToStop = isActive(job) && job.isStopping !== true;
  return isToStop ? [{ type: "cancelJob", key: jobKeyOf("tenant", addon.metadata) }] : [];
}

function clusterReady({ sight, observation }: Observed): ConditionStatement {
  if (sight.state !== "ready") return blocked("ClusterReady", sight);
  const problem = problemIn(observation);
  if (problem?.reason === "TenantUnreachable") return blocked("ClusterReady", problem);
  return holds("ClusterReady", sight.reason, sight.message);
}

function dependenciesMet({ verdict }: Observed): ConditionStatement {
  switch (verdict.state) {
    case "met":
      return holds("DependenciesMet", "AllReady", "all dependencies are ready");
    case "waiting":
      return lacks("DependenciesMet", "Waiting", verdict.message);
    case "impossible":
      return blocked("DependenciesMet", verdict);
  }
}
