import { describeError, InvalidInput, isRecord } from "@butler/std";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "../replace-file.ts";
import { type BootIdentity, currentBootId, parseIdentity } from "./service-process.ts";
import { parseServices, type ServiceSpec } from "./service-spec.ts";

/** The exit code of a supervisor that finds its directory taken by another. */
export const directoryIsTaken = 2;

/** Where a supervisor keeps what. */
export interface StatePaths {
  readonly directory: string;
  /** What is to run; written by clients. */
  readonly services: string;
  /** What runs; written by the daemon. */
  readonly status: string;
  readonly socket: string;
  readonly log: string;
  readonly locks: string;
  /** Held by the daemon. A lock of an earlier boot has another name, so that it is never taken for a living one's. */
  readonly lock: string;
  /** Which process the guardian is; written by itself. */
  readonly guardian: string;
  readonly guardianLock: string;
  /** Exists from when everything was told to stop until a start is asked for. */
  readonly stopping: string;
}

/** Linux: sun_path of unix(7) has 108 bytes with the closing zero; some systems have 104. */
const longestSocketPath = 103;

/** The files of a state directory; refuses a directory whose name leaves no room for the socket's. */
export function statePaths(directory: string): StatePaths {
  const socket = join(directory, "supervisor.sock");
  if (Buffer.byteLength(socket) > longestSocketPath) {
    throw new InvalidInput(`the path ${socket} is too long for a Unix socket (${longestSocketPath} bytes)`, {
      hint: "Choose a state directory with a shorter path.",
    });
  }
  const locks = join(directory, "locks");
  return {
    directory,
    services: join(directory, "services.json"),
    status: join(directory, "status.json"),
    socket,
    log: join(directory, "supervisor.log"),
    locks,
    lock: join(locks, currentBootId()),
    guardian: join(directory, "guardian.json"),
    // Begins like the daemon's, so that it counts as one of this boot.
    guardianLock: join(locks, `${currentBootId()}-guardian`),
    stopping: join(directory, "stopping"),
  };
}

/** The guardian that was started last; undefined when there is none or it cannot be read. */
export function readGuardian({ guardian }: StatePaths): BootIdentity | undefined {
  try {
    return parseIdentity(JSON.parse(readFileSync(guardian, "utf8")));
  } catch {
    return undefined;
  }
}

/** Reads what is to run. */
export function readServices({ services }: StatePaths): ServiceSpec[] {
  try {
    const value: unknown = JSON.parse(readFileSync(services, "utf8"));
    if (!isRecord(value)) throw new InvalidInput("it must be an object");
    return parseServices(value["services"]);
  } catch (cause) {
    throw new InvalidInput(`${services} cannot be used: ${describeError(cause)}`, { cause });
  }
}

/** Writes down what is to run, after making sure that it can be read again. */
export function writeServices({ services }: StatePaths, specs: readonly ServiceSpec[]): void {
  parseServices(specs);
  replaceFile(services, `${JSON.stringify({ services: specs }, null, 2)}\n`, { flush: true });
}
