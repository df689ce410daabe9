import type { DataStore } from "@butler/api";
import type { EtcdStatus } from "@butler/etcd";
import { holds, lacks, type Plan, type PlannedEvent, warningOf } from "@butler/controller";
import { blocked, type ConditionStatement, isBeingDeleted, type ObjectKey } from "@butler/resource";
import { databaseSizeText, reportedSize } from "./reported-size.ts";
import type { StoreCheck } from "./store-check.ts";

/** A certificate of a store of Steward that has to be replaced. */
export interface DueCertificate {
  readonly secret: ObjectKey;
  readonly signer: ObjectKey;
  readonly fault: string;
}

/** Everything that the plan is based on. */
export interface Observed {
  readonly dataStore: DataStore;
  /** Control planes that use, or will use, this store, as namespace/name. */
  readonly usedBy: readonly string[];
  /** The state of the store; undefined when there is none to check. */
  readonly check: StoreCheck | undefined;
  readonly dueCertificates: readonly DueCertificate[];
}

export type DataStoreEffect =
  | { readonly type: "enableAuthentication"; readonly dataStore: string }
  | ({ readonly type: "renewCertificate" } & DueCertificate);

/** How often a store is checked: a healthy one, and an unhealthy one that control planes wait for. */
const lookMs = { well: 60_000, unwell: 2_000 } as const;

/** A database above this share of its quota is worth a warning. */
const nearlyFull = 0.8;

/** The verdict on a store. */
interface Verdict {
  readonly conditions: readonly ConditionStatement[];
  readonly status?: EtcdStatus;
  readonly effects?: readonly DataStoreEffect[];
  /** Whether there is a store to check again. */
  readonly isWatched: boolean;
}

/** Plans the next step of a DataStore. */
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
    events: isReady ? warningsOf(conditions) : [warningOf(ready)],
    ...(isWatched ? { requeueAfterMs: isReady ? lookMs.well : lookMs.unwell } : {}),
  };
}

/** Control planes would lose access to their state, and could not even be deleted. */
function planDeletion({ dataStore, usedBy }: Observed): Plan<DataStoreEffect> {
  if (usedBy.length === 0) return { finalizer: "release" };
  const message = `waiting for ${usedBy.length} control plane(s) to be deleted: ${someOf(usedBy)}`;
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
    const message = "each control plane that uses this DataStore gets a dedicated etcd";
    return { conditions: [holds("Ready", "Dedicated", message)], isWatched: false };
  }
  if (check === undefined) {
    return { conditions: [lacks("Ready", "NotChecked", "the store has not been checked yet")], isWatched: true };
  }
  if (check.kind === "failed") {
    const conditions = [blocked("Reachable", check), unknown("AuthenticationEnabled"), unknown("SpaceAvailable")];
    return { conditions, isWatched: true };
  }
  return judgeAnswer(dataStore, check);
}

function judgeAnswer(
  { metadata: { name } }: DataStore,
  { status, isOurs }: Extract<StoreCheck, { kind: "answered" }>,
): Verdict {
  if (status.leader === undefined) {
    const message = `etcd has no leader, so writes fail: ${endpointsText(status)}`;
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
  "CORRUPT: the data differs between members; replace the corrupt member or restore a backup",
);

const authenticationIsOn = holds("AuthenticationEnabled", "Enabled", "users and roles are enforced");

function authenticationIsOff(isOurs: boolean): ConditionStatement {
  const message = isOurs
    ? "enabling authentication"
    : "authentication is disabled and the store has keys or users that Steward did not create, so Steward does not enable it; " +
      "use a dedicated etcd for Steward, or create the user root with the role root and run etcdctl auth enable";
  return lacks("AuthenticationEnabled", isOurs ? "Enabling" : "Disabled", message);
}

function spaceOf({ alarms, dbSize, dbSizeQuota }: EtcdStatus): ConditionStatement {
  if (alarms.includes("NOSPACE")) {
    const message =
      "NOSPACE: the store has exceeded its quota and rejects writes; compact and defragment every member, then " +
      "disarm the alarm";
    return lacks("SpaceAvailable", "NoSpace", message);
  }
  const isNearlyFull = dbSizeQuota > 0 && dbSize >= nearlyFull * dbSizeQuota;
  return isNearlyFull
    ? holds(
        "SpaceAvailable",
        "NearlyFull",
        `the database uses more than ${nearlyFull * 100}% of its quota of ${databaseSizeText(dbSizeQuota)}; ` +
          "defragment its members or increase the quota",
      )
    : holds("SpaceAvailable", "Enough", "the database size is within its quota");
}

function endpointsText({ endpoints }: EtcdStatus): string {
  const silent = endpoints.filter(({ fault }) => fault !== undefined);
  if (silent.length === 0) return endpoints.length === 1 ? "endpoint reachable" : "all endpoints reachable";
  const faults = silent.map(({ fault }) => fault).join("; ");
  return `${endpoints.length - silent.length}/${endpoints.length} endpoints reachable; ${faults}`;
}

function unknown(type: string): ConditionStatement {
  return { type, status: "Unknown", reason: "NotReachable", message: "the store is not reachable" };
}

/** A verdict may set Ready itself; otherwise it is the first condition that is not True. */
function readyOf(conditions: readonly ConditionStatement[]): ConditionStatement {
  const stated = conditions.find(({ type }) => type === "Ready");
  if (stated !== undefined) return stated;
  const lacking = conditions.find(({ status }) => status !== "True");
  return lacking === undefined ? holds("Ready", "Ready", "ready for control planes") : blocked("Ready", lacking);
}

function warningsOf(conditions: readonly ConditionStatement[]): PlannedEvent[] {
  return conditions.filter(({ reason }) => reason === "NearlyFull").map(warningOf);
}

/** The last known state of an unreachable store is kept. */
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

/** The first few names of a list, for a message. */
export function someOf(names: readonly string[]): string {
  return names.length <= 5 ? names.join(", ") : `${names.slice(0, 5).join(", ")} and others`;
}
