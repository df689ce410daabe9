import { describeError, InvalidInput, isRecord } from "@butler/std";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "../replace-file.ts";
import { type BootIdentity, currentBootId, parseIdentity } from "./service-process.ts";
import { parseServices, type ServiceSpec } from "./service-spec.ts";

/** The exit code of a supervisor whose directory is in use by another one. */
export const directoryIsTaken = 2;

/** The files of a supervisor. */
export interface StatePaths {
  readonly directory: string;
  /** The services to run; written by clients. */
  readonly services: string;
  /** The running services; written by the daemon. */
  readonly status: string;
  readonly socket: string;
  readonly log: string;
  readonly locks: string;
  /** Held by the daemon. A lock of an earlier boot has another name, so that it is never mistaken for a current one. */
  readonly lock: string;
  /** The guardian's process identity; written by the guardian. */
  readonly guardian: string;
  readonly guardianLock: string;
  /** Exists from a stop request until the next start request. */
  readonly stopping: string;
}

/** Linux: sun_path of unix(7) has 108 bytes including the terminating zero; some systems have 104. */
const longestSocketPath = 103;

/** The files of a state directory; rejects a directory whose path is too long for the socket's. */
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
    // Has the same prefix as the daemon's, so that it counts as a lock of this boot.
    guardianLock: join(locks, `${currentBootId()}-guardian`),
    stopping: join(directory, "stopping"),
  };
}

/** The guardian that was started last; undefined if there is none or it cannot be read. */
export function readGuardian({ guardian }: StatePaths): BootIdentity | undefined {
  try {
    return parseIdentity(JSON.parse(readFileSync(guardian, "utf8")));
  } catch {
    return undefined;
  }
}

/** Reads the services to run. */
export function readServices({ services }: StatePaths): ServiceSpec[] {
  try {
    const value: unknown = JSON.parse(readFileSync(services, "utf8"));
    if (!isRecord(value)) throw new InvalidInput("must be an object");
    return parseServices(value["services"]);
  } catch (cause) {
    throw new InvalidInput(`cannot use ${services}: ${describeError(cause)}`, { cause });
  }
}

/** Stores the services to run, after checking that they can be parsed again. */
export function writeServices({ services }: StatePaths, specs: readonly ServiceSpec[]): void {
  parseServices(specs);
  replaceFile(services, `${JSON.stringify({ services: specs }, null, 2)}\n`, { flush: true });
}
