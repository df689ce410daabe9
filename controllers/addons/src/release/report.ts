import type { WantedResult } from "@butler/addons";
import { holds, lacks } from "@butler/controller";
import type { Drift, Inspection } from "@butler/object-health";
import type { ConditionStatement } from "@butler/resource";
import { nameSome } from "@butler/std";
import { describeInspection } from "./describe.ts";
import type { ReleaseView } from "./observation.ts";
import type { ReleasePlace } from "./read-history.ts";
import { runningRevision } from "./revisions.ts";
import type { AddonPhase, Decision, Revision } from "./situation.ts";

/** The status of a release, for both kinds of add-ons. */
export interface ReleaseReport {
  readonly phase: AddonPhase;
  readonly status: Readonly<Record<string, unknown>>;
  readonly conditions: readonly ConditionStatement[];
}

/** What is reported. */
export interface ReportInput {
  readonly decision: Decision;
  readonly place: ReleasePlace | undefined;
  readonly wanted: WantedResult | undefined;
  readonly view: ReleaseView;
}

const mostHistory = 10;
const mostListed = 20;
const mostOrigins = 200;

/** The part of the status that is about the release. */
export function reportRelease(input: ReportInput): ReleaseReport {
  const { decision, place, view } = input;
  const message = messageOf(input);
  const { revisions, inspection, drift } = view;
  const running = runningRevision(revisions);
  return {
    phase: decision.phase,
    status: {
      installedVersion: running?.version,
      helmRelease: place === undefined ? undefined : helmReleaseOf(place, revisions),
      message,
      resources: resourcesOf(inspection),
      history: historyOf(revisions),
      lastAttempt: decision.attempt === undefined ? undefined : withoutUndefined(decision.attempt),
      lastGoodRevision: decision.lastGoodRevision,
      rolledBackTo: decision.rolledBackTo,
      valueOrigins: originsOf(input.wanted),
      drift: drift === undefined || drift.length === 0 ? undefined : drift.slice(0, mostListed),
    },
    conditions: [
      installed(running),
      healthy(running, inspection),
      inSync(drift),
      decision.isReady ? holds("Ready", "Installed", message) : lacks("Ready", decision.reason, message),
    ],
  };
}

function messageOf({ decision, wanted }: ReportInput): string {
  const note = wanted !== undefined && "wanted" in wanted ? wanted.wanted.timeoutNote : undefined;
  return note === undefined ? decision.message : `${decision.message}; ${note}`;
}

function originsOf(wanted: WantedResult | undefined): readonly object[] | undefined {
  const origins = wanted !== undefined && "wanted" in wanted ? wanted.wanted.origins : [];
  return origins.length === 0 ? undefined : origins.slice(0, mostOrigins);
}

function installed(running: Revision | undefined): ConditionStatement {
  return running === undefined
    ? lacks("Installed", "NotInstalled", "no revision of the release is deployed")
    : holds("Installed", "Installed", `revision ${running.revision} (version ${running.version}) is deployed`);
}

function healthy(running: Revision | undefined, inspection: Inspection | undefined): ConditionStatement {
  if (inspection === undefined) {
    return { type: "Healthy", status: "Unknown", reason: "NotLooked", message: describeInspection(inspection) };
  }
  const message = describeInspection(inspection);
  const isWell = running !== undefined && inspection.ready === inspection.total;
  return isWell ? holds("Healthy", "AllReady", message) : lacks("Healthy", "NotReady", message);
}

function inSync(drift: readonly Drift[] | undefined): ConditionStatement {
  if (drift === undefined) {
    const message = "drift has not been checked yet";
    return { type: "InSync", status: "Unknown", reason: "NotCompared", message };
  }
  const [first] = drift;
  if (first === undefined) return holds("InSync", "AsMade", "no drift from the chart");
  const objects = drift.map(({ kind, name }) => `${kind} ${name}`);
  return lacks("InSync", "Drifted", `${nameSome(objects, 1)}: ${first.message}`);
}

function helmReleaseOf({ release, namespace }: ReleasePlace, revisions: readonly Revision[]): object {
  const [newest] = revisions;
  return withoutUndefined({
    name: release,
    namespace,
    version: newest?.version,
    revision: newest?.revision,
    appVersion: newest?.appVersion,
    // Of the deployed revision: Kubernetes upgrades must match its range.
    kubernetesVersions: (runningRevision(revisions) ?? newest)?.kubeVersion,
    status: newest?.status,
  });
}

function resourcesOf(inspection: Inspection | undefined): object | undefined {
  if (inspection === undefined) return undefined;
  const { total, ready, waiting } = inspection;
  return { total, ready, ...(waiting.length === 0 ? {} : { waiting: waiting.slice(0, mostListed) }) };
}

function historyOf(revisions: readonly Revision[]): readonly object[] | undefined {
  if (revisions.length === 0) return undefined;
  return revisions.slice(0, mostHistory).map(({ revision, version, status, deployedAt, description }) =>
    withoutUndefined({
      revision,
      version,
      status,
      deployedAt,
      description: description === "" ? undefined : description.slice(0, 1_024),
    }),
  );
}

function withoutUndefined<T extends object>(record: T): T {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T;
}
