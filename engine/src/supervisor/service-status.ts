import { describeError, InvalidInput, isRecord } from "@butler/std";
import type { ProcessExit } from "../control-plane/process-guard.ts";
import { type BootIdentity, parseIdentity } from "./service-process.ts";
import { parseService, type ServiceSpec } from "./service-spec.ts";

/**
 * Where a service stands. Waiting: for services it depends on. Backoff: it ended and is started again after a while.
 * Failed: it could not even be started, which is tried again at the same pace.
 */
export type ServiceState = "Waiting" | "Starting" | "Ready" | "Stopping" | "Stopped" | "Backoff" | "Failed";

/** How the last process of a service ended; neither code nor signal is known of one that was not a child. */
export interface ServiceExit extends ProcessExit {
  readonly at: string;
}

/** What a supervisor tells about one service. */
export interface ServiceStatus {
  readonly name: string;
  readonly state: ServiceState;
  /** Since when it is in this state, as RFC 3339 text. */
  readonly since: string;
  readonly message: string;
  readonly process?: BootIdentity | undefined;
  /** Whether the process was started by an earlier supervisor. */
  readonly isAdopted: boolean;
  /** How often it was started again. */
  readonly restarts: number;
  readonly lastExit?: ServiceExit | undefined;
}

/** What a supervisor tells about itself and its services. */
export interface SupervisorStatus {
  readonly daemon: BootIdentity;
  /** Whether it stops everything and ends. */
  readonly isEnding: boolean;
  /** What is wrong with the supervisor itself, as sentences. */
  readonly problems: readonly string[];
  readonly services: readonly ServiceStatus[];
}

/** A service as it is written down for the next supervisor: with its spec, in case the list of services gets lost. */
export interface StoredService {
  readonly spec: ServiceSpec;
  readonly process?: BootIdentity | undefined;
  readonly restarts: number;
  readonly lastExit?: ServiceExit | undefined;
}

/** Reads what an earlier supervisor wrote down; what cannot be understood is left out and reported. */
export function parseStoredServices(text: string, onProblem: (message: string) => void): StoredService[] {
  let status: unknown;
  try {
    status = JSON.parse(text);
  } catch (error) {
    onProblem(`it is not JSON: ${describeError(error)}`);
    return [];
  }
  if (!isRecord(status) || !Array.isArray(status["services"])) {
    onProblem("it has no list of services");
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
