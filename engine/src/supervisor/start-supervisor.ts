import { Conflict, isRecord, sleep, systemClock, Timeout, Unavailable } from "@butler/std";
import type { ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { lastLines } from "../text-tail.ts";
import { hasEnded, startDetached } from "./detached-program.ts";
import { logSince, logSize } from "./log-file.ts";
import { type BootIdentity, isRunning, parseIdentity } from "./service-process.ts";
import type { ServiceSpec } from "./service-spec.ts";
import { directoryIsTaken, readGuardian, type StatePaths, statePaths, writeServices } from "./state-directory.ts";
import { type ServiceWait, SupervisorClient } from "./supervisor-client.ts";

/** How long to wait for a supervisor. */
export interface StartWait {
  /** Defaults to 30 seconds. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const pollMs = 50;
const patienceMs = 2_000;
const guardianPatienceMs = 8_000;
const defaultTimeoutMs = 30_000;

/**
 * Finds the supervisor of a state directory, including one that the guardian is about to restart; undefined when none
 * is running. Throws when one is running and does not respond.
 */
export async function connectSupervisor(directory: string): Promise<SupervisorClient | undefined> {
  const paths = statePaths(resolve(directory));
  const client = new SupervisorClient(paths);
  const startMs = systemClock.monotonicMs();
  for (;;) {
    try {
      await client.status();
      return client;
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      const daemon = readDaemon(paths);
      const waitedMs = systemClock.monotonicMs() - startMs;
      const isThere = daemon !== undefined && isRunning(daemon);
      if (!isThere && (waitedMs > guardianPatienceMs || !isGuarded(paths))) return undefined;
      // A supervisor that is starting or exiting has no socket for a moment.
      if (isThere && waitedMs > patienceMs) throw silent(daemon, error);
    }
    await sleep(systemClock, pollMs);
  }
}

/**
 * Stores the services and makes sure that a supervisor, which outlives this process, runs them: the current one, or a
 * new one. A killed supervisor is restarted by its guardian, a separate process; after both were killed at once only
 * the next call restarts them. May be called any number of times, also concurrently.
 */
export async function startSupervisor(
  directory: string,
  specs: readonly ServiceSpec[],
  { timeoutMs = defaultTimeoutMs, signal }: StartWait = {},
): Promise<SupervisorClient> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const paths = statePaths(resolve(directory));
  writeServices(paths, specs);
  const client = new SupervisorClient(paths);
  const logStart = logSize(paths.log);
  const deadline = systemClock.monotonicMs() + timeoutMs;
  let daemon: ChildProcess | undefined;
  for (;;) {
    const refusal = await reload(client);
    if (refusal === undefined) return client;
    if ((daemon !== undefined && hasFailed(daemon)) || systemClock.monotonicMs() > deadline)
      throw noAnswer(paths, logStart, refusal);
    if (refusal instanceof Unavailable && (daemon === undefined || hasEnded(daemon)))
      daemon = startDetached(paths, "daemon.ts");
    await sleep(systemClock, pollMs, signal);
  }
}

/** Returns undefined for transient errors: no supervisor listens, or one is exiting and will be replaced. */
async function reload(client: SupervisorClient): Promise<Unavailable | Conflict | undefined> {
  try {
    await client.reload();
    return undefined;
  } catch (error) {
    if (error instanceof Unavailable || error instanceof Conflict) return error;
    throw error;
  }
}

/** Stops everything, including services of a killed supervisor, and waits until they have exited. Data is kept. */
export async function stopSupervisor(directory: string, wait: Omit<ServiceWait, "services">): Promise<void> {
  const paths = statePaths(resolve(directory));
  const deadline = systemClock.monotonicMs() + wait.timeoutMs;
  while (existsSync(paths.status) || existsSync(paths.services)) {
    const client = await connectSupervisor(directory);
    if (client !== undefined) {
      await client.stop(wait);
      return;
    }
    const daemon = startDetached(paths, "daemon.ts", ["--stop"]);
    while (!hasEnded(daemon)) {
      if (systemClock.monotonicMs() > deadline) throw new Timeout(`processes of ${directory} did not exit in time`);
      await sleep(systemClock, pollMs, wait.signal);
    }
    if (daemon.exitCode === 0) return;
    if (hasFailed(daemon)) throw new Unavailable(`cannot start a supervisor; see ${paths.log}`);
  }
}

/** A daemon that found the directory in use, or received a stop request, has succeeded. */
function hasFailed(daemon: ChildProcess): boolean {
  return hasEnded(daemon) && daemon.exitCode !== directoryIsTaken && daemon.exitCode !== 0;
}

/** The supervisor that wrote the status last. */
function readDaemon({ status }: StatePaths): BootIdentity | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(status, "utf8"));
    return isRecord(value) ? parseIdentity(value["daemon"]) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a guardian restarts the supervisor when it exits. */
function isGuarded(paths: StatePaths): boolean {
  const guardian = readGuardian(paths);
  return guardian !== undefined && isRunning(guardian) && !existsSync(paths.stopping);
}

function silent({ pid }: BootIdentity, cause: Error): Unavailable {
  return new Unavailable(`the supervisor (process ${pid}) is running but does not respond`, {
    cause,
    hint: `Stop it with "kill -9 ${pid}" and start it again; the services keep running.`,
  });
}

function noAnswer({ directory, log }: StatePaths, logStart: number, cause: Error): Unavailable {
  const said = lastLines(logSince(log, logStart), 15);
  return new Unavailable(`cannot start a supervisor for ${directory}; last lines of ${log}:\n${said}`, { cause });
}
