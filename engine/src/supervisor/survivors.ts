import { deepEqual } from "@butler/std";
import { type BootIdentity, identifyInBoot, isRunning, type MarkedProcess, processDigest } from "./service-process.ts";
import type { ServiceSpec } from "./service-spec.ts";
import type { StoredService } from "./service-status.ts";

/** Information about the time before this supervisor. */
export interface Traces {
  readonly specs: readonly ServiceSpec[];
  /** The status stored by the last supervisor; may be missing or outdated. */
  readonly stored: readonly StoredService[];
  readonly marked: readonly MarkedProcess[];
}

/** A service that runs although its supervisor has exited. */
export interface Survivor extends StoredService {
  readonly process: BootIdentity;
  /** Whether it was started from another spec than the current one. */
  readonly isOutdated: boolean;
}

/**
 * Finds the services that still run: by the stored status and, if that fails, by the marks in the environment of
 * processes. Without the marks, a service whose start could not be recorded, for example on a full disk, would be
 * started twice.
 */
export function findSurvivors({ specs, stored, marked }: Traces): Survivor[] {
  const survivors = new Map<string, Survivor>();
  for (const { process, ...known } of stored) {
    if (process === undefined || !isRunning(process)) continue;
    survivors.set(known.spec.name, { ...known, process, isOutdated: false });
  }
  const byName = new Map(specs.map((spec) => [spec.name, spec]));
  const isUnchanged = ({ service, commandLine }: MarkedProcess): boolean => {
    const spec = byName.get(service);
    return spec !== undefined && deepEqual(commandLine, [spec.command, ...spec.args]);
  };
  // A service may have started processes in sessions of their own. It is older than they are, but may exit before them.
  const candidates = marked
    .filter(({ identity, session }) => identity.pid === session)
    .sort((a, b) => Number(a.identity.startTime) - Number(b.identity.startTime))
    .sort((a, b) => Number(isUnchanged(b)) - Number(isUnchanged(a)));
  for (const found of candidates) {
    if (survivors.has(found.service)) continue;
    const spec = byName.get(found.service) ?? unknownSpec(found);
    const isOutdated = processDigest(spec) !== found.digest;
    survivors.set(found.service, { spec, process: found.identity, restarts: 0, isOutdated });
  }
  return [...survivors.values()];
}

/** Processes of services whose main process has exited. Process groups created by services belong to them. */
export function findStrays(marked: readonly MarkedProcess[]): BootIdentity[] {
  return marked
    .filter(({ identity, group, session }) => session === group && session !== identity.pid && !isLed(group))
    .map(({ identity }) => identity);
}

function isLed(group: number): boolean {
  const leader = identifyInBoot(group);
  return leader !== undefined && isRunning(leader);
}

function unknownSpec({ service, commandLine: [command = "/", ...args] }: MarkedProcess): ServiceSpec {
  return {
    name: service,
    command,
    args,
    environment: {},
    workingDirectory: "/",
    dependsOn: [],
    logFile: "/dev/null",
  };
}
