/**
 * A program, started by the daemon: `guardian.ts --state DIR`. It starts another daemon when the one of DIR has exited
 * without a stop request. The daemon in turn restarts a guardian that has exited; when both are killed at once, the
 * services keep running and the next `startSupervisor` restarts both. The guardian exits when everything is to stop,
 * and when DIR is no longer the directory in which it was started.
 */
import { backoffDelayMs, describeError, InvalidInput, sleep, systemClock, Unavailable } from "@butler/std";
import type { ChildProcess } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { parseArgs } from "node:util";
import { isLockAbandoned, tryDirectoryLock } from "../directory-lock.ts";
import { replaceFile } from "../replace-file.ts";
import { hasEnded, startDetached } from "./detached-program.ts";
import { type BootIdentity, identifyInBoot } from "./service-process.ts";
import { directoryIsTaken, readGuardian, type StatePaths, statePaths } from "./state-directory.ts";

const pollMs = 1_000;
const retry = { initialMs: 2_000, maximumMs: 30_000, factor: 2, jitter: 0 };

// On a full disk the log cannot be written, which must not stop the guardian.
process.stderr.on("error", () => undefined);
const ending = new AbortController();
process.on("SIGTERM", () => ending.abort()).on("SIGINT", () => ending.abort());
try {
  process.exitCode = await main();
} catch (error) {
  report(describeError(error));
  process.exitCode = 1;
}

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { state: { type: "string" } } });
  if (values.state === undefined) throw new InvalidInput("--state DIR is required");
  const paths = statePaths(values.state);
  // Acquiring the lock would recreate it.
  if (!existsSync(paths.directory)) return 0;
  const attempt = await tryDirectoryLock(paths.guardianLock, `guard ${paths.directory}`);
  if (!("lock" in attempt)) return directoryIsTaken;
  try {
    const self = identifyInBoot(process.pid);
    if (self === undefined)
      throw new Unavailable("cannot read this process's entry in /proc, which the guardian requires");
    replaceFile(paths.guardian, `${JSON.stringify(self)}\n`);
    await guard(paths, self);
    if (isGuardian(paths, self)) rmSync(paths.guardian, { force: true });
  } finally {
    await attempt.lock.release();
  }
  return 0;
}

async function guard(paths: StatePaths, self: BootIdentity): Promise<void> {
  let daemon: ChildProcess | undefined;
  let attempts = 0;
  let nextAttemptMs = 0;
  while (!ending.signal.aborted && isGuardian(paths, self) && !existsSync(paths.stopping)) {
    if (await isSupervised(paths)) {
      attempts = 0;
      nextAttemptMs = 0;
    } else if ((daemon === undefined || hasEnded(daemon)) && systemClock.monotonicMs() >= nextAttemptMs) {
      attempts += 1;
      nextAttemptMs = systemClock.monotonicMs() + backoffDelayMs(retry, attempts);
      daemon = resume(paths);
    }
    await sleep(systemClock, pollMs, ending.signal).catch(() => undefined);
  }
}

/** The daemon checks again, with the directory locked, whether it is needed. */
function resume(paths: StatePaths): ChildProcess | undefined {
  try {
    report(`the supervisor of ${paths.directory} has exited; starting another one`);
    return startDetached(paths, "daemon.ts", ["--resume"]);
  } catch (error) {
    report(`cannot start a supervisor: ${describeError(error)}`);
    return undefined;
  }
}

/** Whether a daemon is running; its lock contains its PID and start time, and the lock's name identifies the boot. */
async function isSupervised({ lock }: StatePaths): Promise<boolean> {
  const owners = await readdir(lock).catch(() => []);
  return owners.length > 0 && !(await isLockAbandoned(lock));
}

/** False when the directory was removed, even if there is a new one of that name. */
function isGuardian(paths: StatePaths, self: BootIdentity): boolean {
  const guardian = readGuardian(paths);
  return guardian?.pid === self.pid && guardian.startTime === self.startTime && guardian.bootId === self.bootId;
}

function report(message: string): void {
  process.stderr.write(`${new Date().toISOString()} guardian: ${message}\n`);
}
