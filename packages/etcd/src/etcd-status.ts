import { describeError } from "@butler/std";
import { type EtcdCallOptions, type EtcdCalls, joinFailures } from "./etcd-calls.ts";
import type { EtcdMethods, MemberAnswer } from "./etcd-methods.ts";

/** An etcd alarm. */
export type EtcdAlarm = "NOSPACE" | "CORRUPT";

/** The status of one endpoint. */
export interface EndpointStatus {
  readonly endpoint: string;
  /** Why it is unreachable; undefined when it is reachable. */
  readonly fault?: string;
}

/** The status of an etcd. */
export interface EtcdStatus {
  /** The version of the oldest member that responded. */
  readonly version: string;
  /** The identity of the leader; undefined when there is none, so that reads and writes may fail. */
  readonly leader: string | undefined;
  /** Number of members; undefined without a leader. */
  readonly memberCount: number | undefined;
  /** Bytes that the largest member's database takes up on disk. */
  readonly dbSize: number;
  /** Bytes of that which hold data; the rest comes free when the member is defragmented. */
  readonly dbSizeInUse: number;
  /** Maximum size of a database in bytes; 0 when the members do not report it. */
  readonly dbSizeQuota: number;
  readonly alarms: readonly EtcdAlarm[];
  /** Whether authentication is enabled; undefined without a leader. */
  readonly isAuthEnabled: boolean | undefined;
  readonly endpoints: readonly EndpointStatus[];
}

interface AskedEndpoint {
  readonly endpoint: string;
  readonly answer?: MemberAnswer;
  readonly failure?: unknown;
}

/** Queries the status of every endpoint. Rejects only when none responds. */
export async function readStatus(calls: EtcdCalls, options: EtcdCallOptions): Promise<EtcdStatus> {
  const asked = await Promise.all(
    calls.endpoints.map(async (endpoint): Promise<AskedEndpoint> => {
      try {
        return { endpoint, answer: await calls.callMember(endpoint, "Maintenance/Status", options) };
      } catch (failure) {
        options.signal?.throwIfAborted();
        return { endpoint, failure };
      }
    }),
  );
  const answers = asked.flatMap(({ answer }) => (answer === undefined ? [] : [answer]));
  if (answers.length === 0) throw joinFailures(asked.map(({ failure }) => failure));
  const leader = answers.map((answer) => answer.leader).find((id) => id !== "0");
  return {
    ...measured(answers),
    leader,
    ...(leader === undefined ? unknownWithoutLeader : await readAgreed(calls, options)),
    endpoints: asked.map(({ endpoint, answer, failure }) =>
      answer === undefined ? { endpoint, fault: describeError(failure) } : { endpoint },
    ),
  };
}

/** These need a quorum and would only time out. */
const unknownWithoutLeader = { memberCount: undefined, alarms: [], isAuthEnabled: undefined } as const;

async function readAgreed(
  calls: EtcdCalls,
  options: EtcdCallOptions,
): Promise<Pick<EtcdStatus, "memberCount" | "alarms" | "isAuthEnabled">> {
  const [{ alarms }, { enabled }, { members }] = await Promise.all([
    calls.call("Maintenance/Alarm", {}, options),
    calls.call("Auth/AuthStatus", {}, options),
    calls.call("Cluster/MemberList", {}, options),
  ]);
  return { memberCount: members.length, alarms: distinctAlarms(alarms), isAuthEnabled: enabled };
}

function distinctAlarms(alarms: EtcdMethods["Maintenance/Alarm"]["out"]["alarms"]): EtcdAlarm[] {
  const raised = alarms.flatMap(({ alarm }) => (alarm === "NONE" ? [] : [alarm]));
  return [...new Set(raised)].sort();
}

function measured(
  answers: readonly MemberAnswer[],
): Pick<EtcdStatus, "version" | "dbSize" | "dbSizeInUse" | "dbSizeQuota"> {
  const largest = (of: (answer: MemberAnswer) => string): number =>
    Math.max(...answers.map((answer) => Number(of(answer))));
  const [version = ""] = answers
    .map((answer) => answer.version)
    .sort((left, right) => left.localeCompare(right, "en", { numeric: true }));
  return {
    version,
    dbSize: largest(({ dbSize }) => dbSize),
    dbSizeInUse: largest(({ dbSizeInUse }) => dbSizeInUse),
    dbSizeQuota: largest(({ dbSizeQuota }) => dbSizeQuota),
  };
}
