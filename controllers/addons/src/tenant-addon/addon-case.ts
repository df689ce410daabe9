import type { WantedRelease } from "@butler/addons";
import type { TenantAddon } from "@butler/api";
import type { Blocker } from "@butler/resource";
import type { ReleaseCluster } from "../release/effects.ts";
import { jobKeyOf } from "../release/job-key.ts";
import { absent, type ReleaseCase, targetOf } from "../release/plan-release.ts";
import { type ReleaseView, viewIn } from "../release/observation.ts";
import type { ReleasePlace } from "../release/read-history.ts";
import { runningRevision } from "../release/revisions.ts";
import { type Decision, type ReleaseBlocker, type Revision, stay } from "../release/situation.ts";
import type { Observed } from "./observed.ts";

/** A release to decide about, or a fixed decision without one. */
export type AddonCase = ReleaseCase | { readonly decision: Decision; readonly revisions: readonly Revision[] };

/** Assembles the input of the decision about the release of an add-on. */
export function caseOf(observed: Observed): AddonCase {
  const { addon, wanted, sight, place, isMoving } = observed;
  const view = viewIn(observed.observation);
  const taken = takenBy(observed, view.revisions);
  if (taken !== undefined) return faulty(observed, { reason: "ReleaseTaken", message: takenMessage(observed, taken) });
  if (wanted === undefined || "fault" in wanted) return faulty(observed, wanted?.fault ?? sight, view.revisions);
  const access = accessIn(sight);
  if (access === undefined || place === undefined) {
    return { decision: stay(notedOf(addon), blockerOf(observed) ?? waiting(sight)), revisions: [] };
  }
  const common = { ...commonOf(observed, { access, place }), blocker: blockerOf(observed), wanted: wanted.wanted };
  const switches = switchesOf(addon, wanted.wanted, observed.graceMs);
  if (isMoving) return { ...common, switches, target: absent, view: ownView(observed) };
  return { ...common, switches, target: targetOf(wanted.wanted, addon.spec.rollbackTo), view };
}

const uninstallTimeoutMs = 300_000;

/** The release of an add-on to uninstall; undefined without access to its cluster. */
export function caseOfRemoval(observed: Observed): ReleaseCase | undefined {
  const { sight, place, graceMs } = observed;
  const access = accessIn(sight);
  if (access === undefined || place === undefined) return undefined;
  const switches = { rollsBack: false, repairsDrift: false, timeoutMs: uninstallTimeoutMs, graceMs };
  const common = commonOf(observed, { access, place });
  return { ...common, switches, target: absent, view: ownView(observed), blocker: undefined, wanted: undefined };
}

interface Where {
  readonly access: ReleaseCluster;
  readonly place: ReleasePlace;
}

function commonOf({ addon, job, isBaseline }: Observed, { access, place }: Where) {
  const { metadata } = addon;
  const key = jobKeyOf("tenant", metadata);
  return { key, uid: metadata.uid ?? "", cluster: access, isBaseline, place, noted: notedOf(addon), job };
}

function accessIn(sight: Observed["sight"]): ReleaseCluster | undefined {
  return "access" in sight ? sight.access : undefined;
}

/** The recorded attempts of an add-on. */
export function notedOf({ status }: TenantAddon): ReleaseCase["noted"] {
  return { attempt: status?.lastAttempt, lastGoodRevision: status?.lastGoodRevision };
}

/** Why nothing may be installed now; undefined when it may. */
export function blockerOf({ addon, sight, verdict }: Observed): ReleaseBlocker | undefined {
  if (addon.spec.paused === true) {
    const message = "not reconciled because spec.paused is set";
    return { isTotal: true, phase: addon.status?.phase ?? "Pending", reason: "Paused", message };
  }
  if (sight.state !== "ready") return waiting(sight);
  const { state } = verdict;
  if (state === "waiting") {
    return { phase: "WaitingForDependencies", reason: "WaitingForDependencies", message: verdict.message };
  }
  return state === "impossible" ? { phase: "Failed", reason: verdict.reason, message: verdict.message } : undefined;
}

/** The view of the release, if any of its revisions belongs to this add-on. */
function ownView({ addon, others, observation }: Observed): ReleaseView {
  const view = viewIn(observation);
  const { revisions } = view;
  const isOurs = revisions.some(({ owner }) => owner === addon.metadata.uid) && !others.has(revisions[0]?.owner ?? "");
  return isOurs ? view : { ...view, revisions: [] };
}

function waiting({ reason, message }: Observed["sight"]): ReleaseBlocker {
  return { phase: "Pending", reason, message };
}

function takenBy({ others }: Observed, revisions: readonly Revision[]): string | undefined {
  return others.get(revisions[0]?.owner ?? "");
}

function takenMessage({ place }: Observed, name: string): string {
  const release = `${place?.namespace}/${place?.release}`;
  return `release ${release} belongs to TenantAddon ${name}; use another release name or namespace`;
}

function faulty(observed: Observed, { reason, message }: Blocker, revisions: readonly Revision[] = []): AddonCase {
  const phase = runningRevision(revisions) === undefined ? "Failed" : "Degraded";
  return { decision: stay(notedOf(observed.addon), { phase, reason, message }), revisions };
}

function switchesOf({ spec }: TenantAddon, { timeoutMs }: WantedRelease, graceMs: number): ReleaseCase["switches"] {
  return {
    rollsBack: spec.rollback?.automatic ?? true,
    repairsDrift: spec.driftPolicy === "Repair",
    timeoutMs,
    graceMs,
  };
}
