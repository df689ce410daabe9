import type { DataStore } from "@butler/api";
import type { EtcdStatus } from "@butler/etcd";
import { holds, lacks, type Plan, type PlannedEvent } from "@butler/controller";
import { type ConditionStatement, isBeingDeleted, type ObjectKey } from "@butler/resource";
import { databaseSizeText, reportedSize } from "./reported-size.ts";
import type { StoreCheck } from "./store-check.ts";

/** A certificate of a store that Steward brought, which has to be replaced. */
export interface DueCertificate {
  readonly secret: ObjectKey;
  readonly signer: ObjectKey;
  readonly fault: string;
}

/** Everything the decision is made from. */
export interface Observed {
  readonly dataStore: DataStore;
  /** Control planes that keep, or are to keep, their state here, as namespace/name. */
  readonly usedBy: readonly string[];
  /** How the store does; undefined when there is none to ask. */
  readonly check: StoreCheck | undefined;
  readonly dueCertificates: readonly DueCertificate[];
}

export type DataStoreEffect =
  | { readonly type: "enableAuthentication"; readonly dataStore: string }
  | ({ readonly type: "renewCertificate" } & DueCertificate);

/** How often a store is asked how it does: one that is well, and one that is not, for which control planes wait. */
const lookMs = { well: 60_000, unwell: 2_000 } as const;

/** A database above this share of its quota is worth a warning. */
const nearlyFull = 0.8;

/** What is found about a store. */
interface Verdict {
  readonly conditions: readonly ConditionStatement[];
  readonly status?: EtcdStatus;
  readonly effects?: readonly DataStoreEffect[];
  /** Whether there is a store to be looked at again. */
  readonly isWatched: boolean;
}

/** Decides what a DataStore needs now. */
export function plan(observed: Observed): Plan<DataStoreEffect> {
  const { dataStore, usedBy, dueCertificates } = observed;
  if (isBeingDeleted(dataStore)) return planDeletion(observed);
  const { conditions, status, effects = [], isWatched } = judge(observed);
  const ready = readyOf(conditions);
  const isReady = ready.status === "True";
  return {
    finalizer: "hold",
    effects: [...dueCertificates.map((due) => ({ type: "renewCertificate", ...due }) as const), ...effects],
    status: statusBody(dataStore, usedBy, status),
    conditions: [ready, ...conditions.filter(({ type }) => type !== "Ready")],
    events: isReady ? warningsOf(conditions) : [{ type: "Warning", reason: ready.reason, message: ready.message }],
    ...(isWatched ? { requeueAfterMs: isReady ? lookMs.well : lookMs.unwell } : {}),
  };
}

/** Control planes would be left without a way to their state, and could not even be deleted. */
function planDeletion({ dataStore, usedBy }: Observed): Plan<DataStoreEffect> {
  if (usedBy.length === 0) return { finalizer: "release" };
  const message = `deleted once no control plane uses it any more; there are ${usedBy.length}: ${someOf(usedBy)}`;
  return {
    finalizer: "hold",
    status: statusBody(dataStore, usedBy, undefined),
    conditions: [lacks("Ready", "InUse", message)],
    events: [{ type: "Warning", reason: "InUse", message }],
  };
}

function judge({ dataStore, check }: Observed): Verdict {
  const { driver, dedicated } = dataStore.spec;
  if (driver !== "etcd") {
    const message = `the driver ${driver} is not supported yet; use etcd`;
    return { conditions: [lacks("Ready", "DriverNotSupported", message)], isWatched: false };
  }
  if (dedicated !== undefined) {
    const message = "each control plane that names this DataStore gets an etcd of its own";
    return { conditions: [holds("Ready", "Dedicated", message)], isWatched: false };
  }
  if (check === undefined) {
    return { conditions: [lacks("Ready", "NotChecked", "the store has not been asked yet")], isWatched: true };
  }
  if (check.kind === "failed") {
    const { reason, message } = check;
    const conditions = [
      lacks("Reachable", reason, message),
      unknown("AuthenticationEnabled"),
      unknown("SpaceAvailable"),
    ];
    return { conditions, isWatched: true };
  }
  return judgeAnswer(dataStore, check);
}

function judgeAnswer(
  { metadata: { name } }: DataStore,
  { status, isOurs }: Extract<StoreCheck, { kind: "answered" }>,
): Verdict {
  if (status.leader === undefined) {
    const message = `the members have no leader, so nothing can be written: ${endpointsText(status)}`;
    const conditions = [
      lacks("Reachable", "NoLeader", message),
      unknown("AuthenticationEnabled"),
      unknown("SpaceAvailable"),
    ];
    return { conditions, status, isWatched: true };
  }
  const isOpen = status.isAuthEnabled !== true;
  return {
    conditions: [
      status.alarms.includes("CORRUPT") ? isCorrupt : holds("Reachable", "Answering", endpointsText(status)),
      isOpen ? authenticationIsOff(isOurs) : authenticationIsOn,
      spaceOf(status),
    ],
    status,
    effects: isOpen && isOurs ? [{ type: "enableAuthentication", dataStore: name }] : [],
    isWatched: true,
  };
}

const isCorrupt = lacks(
  "Reachable",
  "Corrupt",
  "CORRUPT: the members' data differ; replace the damaged member, or restore a backup",
);

const authenticationIsOn = holds("AuthenticationEnabled", "Enabled", "users and roles are in force");

function authenticationIsOff(isOurs: boolean): ConditionStatement {
  const message = isOurs
    ? "authentication is being enabled"
    : "authentication is disabled and the store holds keys or users that are not Steward's, so it is left as it is; " +
      "give Steward an etcd of its own, or make the user root with the role root and run etcdctl auth enable";
  return lacks("AuthenticationEnabled", isOurs ? "Enabling" : "Disabled", message);
}

function spaceOf({ alarms, dbSize, dbSizeQuota }: EtcdStatus): ConditionStatement {
  if (alarms.includes("NOSPACE")) {
    const message =
      "NOSPACE: the store has used up its quota and takes no more writes; compact and defragment every member, then " +
      "disarm the alarm";
    return lacks("SpaceAvailable", "NoSpace", message);
  }
  const isNearlyFull = dbSizeQuota > 0 && dbSize >= nearlyFull * dbSizeQuota;
  return isNearlyFull
    ? holds(
        "SpaceAvailable",
        "NearlyFull",
        `the database takes up more than ${nearlyFull * 100} % of its quota of ${databaseSizeText(dbSizeQuota)}; ` +
          "defragment its members, or give it a larger quota",
      )
    : holds("SpaceAvailable", "Enough", "the database is well below its quota");
}

function endpointsText({ endpoints }: EtcdStatus): string {
  const silent = endpoints.filter(({ fault }) => fault !== undefined);
  if (silent.length === 0) return endpoints.length === 1 ? "the endpoint answers" : "all endpoints answer";
  const faults = silent.map(({ fault }) => fault).join("; ");
  return `${endpoints.length - silent.length} of ${endpoints.length} endpoints answer; ${faults}`;
}

function unknown(type: string): ConditionStatement {
  return { type, status: "Unknown", reason: "NotReachable", message: "the store could not be asked" };
}

/** A verdict may state Ready itself; else it is the first of its conditions that does not hold. */
function readyOf(conditions: readonly ConditionStatement[]): ConditionStatement {
  const stated = conditions.find(({ type }) => type === "Ready");
  if (stated !== undefined) return stated;
  const lacking = conditions.find(({ status }) => status !== "True");
  return lacking === undefined
    ? holds("Ready", "Ready", "the store takes control planes")
    : lacks("Ready", lacking.reason, lacking.message);
}

function warningsOf(conditions: readonly ConditionStatement[]): PlannedEvent[] {
  return conditions
    .filter(({ reason }) => reason === "NearlyFull")
    .map(({ reason, message }) => ({ type: "Warning", reason, message }));
}

/** What was known of a store that does not answer now stays. */
function statusBody(
  { status: before }: DataStore,
  usedBy: readonly string[],
  status: EtcdStatus | undefined,
): Record<string, unknown> {
  const { version, databaseSize, quota } = before ?? {};
  const known =
    status === undefined
      ? { version, databaseSize, quota }
      : {
          version: status.version,
          databaseSize: reportedSize(databaseSize, status.dbSize),
          quota: status.dbSizeQuota > 0 ? databaseSizeText(status.dbSizeQuota) : undefined,
        };
  const stated = Object.entries(known).filter(([, value]) => value !== undefined);
  return { ...(usedBy.length === 0 ? {} : { usedBy: [...usedBy] }), ...Object.fromEntries(stated) };
}

function someOf(names: readonly string[]): string {
  return names.length <= 5 ? names.join(", ") : `${names.slice(0, 5).join(", ")} and others`;
}
