import { describeError, InvalidInput, isRecord } from "@butler/std";
import type { ProcessExit } from "../control-plane/process-guard.ts";
import { type BootIdentity, parseIdentity } from "./service-process.ts";
import { parseService, type ServiceSpec } from "./service-spec.ts";

/**
 * The state of a service. Waiting: for services it depends on. Backoff: it exited and will be restarted after a delay.
 * Failed: it could not be started at all, which is retried with the same backoff.
 */
export type ServiceState = "Waiting" | "Starting" | "Ready" | "Stopping" | "Stopped" | "Backoff" | "Failed";

/** How the last process of a service exited; neither code nor signal is known for a process that was not a child. */
export interface ServiceExit extends ProcessExit {
  readonly at: string;
}

/** The status of one service. */
export interface ServiceStatus {
  readonly name: string;
  readonly state: ServiceState;
  /** When it entered this state, in RFC 3339 format. */
  readonly since: string;
  readonly message: string;
  readonly process?: BootIdentity | undefined;
  /** Whether the process was started by an earlier supervisor. */
  readonly isAdopted: boolean;
  /** Number of restarts. */
  readonly restarts: number;
  readonly lastExit?: ServiceExit | undefined;
}

/** The status of a supervisor and its services. */
export interface SupervisorStatus {
  readonly daemon: BootIdentity;
  /** Whether it is stopping everything before it exits. */
  readonly isEnding: boolean;
  /** Problems of the supervisor itself, as sentences. */
  readonly problems: readonly string[];
  readonly services: readonly ServiceStatus[];
}

/** A service as stored for the next supervisor: with its spec, in case the list of services is lost. */
export interface StoredService {
  readonly spec: ServiceSpec;
  readonly process?: BootIdentity | undefined;
  readonly restarts: number;
  readonly lastExit?: ServiceExit | undefined;
}

/** Parses the status stored by an earlier supervisor; invalid entries are skipped and reported. */
export function parseStoredServices(text: string, onProblem: (message: string) => void): StoredService[] {
  let status: unknown;
  try {
    status = JSON.parse(text);
  } catch (error) {
    onProblem(`not valid JSON: ${describeError(error)}`);
    return [];
  }
  if (!isRecord(status) || !Array.isArray(status["services"])) {
    onProblem("missing list of services");
    return [];
  }
  return status["services"].flatMap((entry: unknown, at) => {
    try {
      return [parseStoredService(entry, `services[${at}]`)];
    } catch (error) {
      onProblem(describeError(error));
      return [];
    }
  });
}

function parseStoredService(entry: unknown, where: string): StoredService {
  if (!isRecord(entry)) throw new InvalidInput(`${where} must be an object`);
  const { restarts, lastExit } = entry;
  return {
    spec: parseService(entry["spec"], `${where}.spec`),
    process: parseIdentity(entry["process"]),
    restarts: typeof restarts === "number" ? restarts : 0,
    lastExit: isRecord(lastExit) ? (lastExit as unknown as ServiceExit) : undefined,
  };
}
