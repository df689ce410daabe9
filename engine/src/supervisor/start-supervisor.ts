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
  /** 30 seconds when left out. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const pollMs = 50;
const patienceMs = 2_000;
const guardianPatienceMs = 8_000;
const defaultTimeoutMs = 30_000;

/**
 * Finds the supervisor of a state directory, also one that the guardian is about to bring back; undefined when none
 * runs. Fails when one runs and does not answer.
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
      // One that begins or ends just now has no socket for a moment.
      if (isThere && waitedMs > patienceMs) throw silent(daemon, error);
    }
    await sleep(systemClock, pollMs);
  }
}

/**
 * Writes down what is to run and makes sure that a supervisor, which outlives this process, sees to it: the one that
 * runs, or a new one. One that is killed is brought back by its guardian, a process of its own; after both were killed
 * at once only the next call does so. May be called any number of times, also at the same time.
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

/** Gives what may pass: nobody is there to hear it, or one that is about to end and to be followed by another. */
async function reload(client: SupervisorClient): Promise<Unavailable | Conflict | undefined> {
  try {
    await client.reload();
    return undefined;
  } catch (error) {
    if (error instanceof Unavailable || error instanceof Conflict) return error;
    throw error;
  }
}

/** Stops everything, also what a supervisor that was killed left running, and waits until it has ended. Data stays. */
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
      if (systemClock.monotonicMs() > deadline) throw new Timeout(`what runs for ${directory} did not end in time`);
      await sleep(systemClock, pollMs, wait.signal);
    }
    if (daemon.exitCode === 0) return;
    if (hasFailed(daemon)) throw new Unavailable(`no supervisor could be started; see ${paths.log}`);
  }
}

/** One that found the directory taken, or was told to stop, did what it should. */
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

/** Whether a guardian starts the supervisor again when it is gone. */
function isGuarded(paths: StatePaths): boolean {
  const guardian = readGuardian(paths);
  return guardian !== undefined && isRunning(guardian) && !existsSync(paths.stopping);
}

function silent({ pid }: BootIdentity, cause: Error): Unavailable {
  return new Unavailable(`the supervisor (process ${pid}) runs but does not answer`, {
    cause,
    hint: `End it with "kill -9 ${pid}" and start again; the services go on meanwhile.`,
  });
}

function noAnswer({ directory, log }: StatePaths, logStart: number, cause: Error): Unavailable {
  const said = lastLines(logSince(log, logStart), 15);
  return new Unavailable(`no supervisor could be started for ${directory}; the end of ${log}:\n${said}`, { cause });
}
