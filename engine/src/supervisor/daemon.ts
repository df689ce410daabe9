/**
 * A program, started by `startSupervisor`: `daemon.ts --state DIR [--stop | --resume]`. It supervises the services of
 * DIR until it receives a stop request, and outlives the process that started it. When it is killed the services keep
 * running, and the next daemon, started by the guardian with `--resume`, adopts them; with that flag it exits
 * immediately if everything was stopped on request. With `--stop` it adopts the running services only to stop them.
 * When DIR is removed, it kills the services and exits: their data is deleted, and they must not conflict with the next
 * engine of that name.
 */
import { describeError, InvalidInput } from "@butler/std";
import { existsSync, mkdirSync, realpathSync, rmSync, statSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { tryDirectoryLock } from "../directory-lock.ts";
import { GuardianRestarts } from "./guardian-restarts.ts";
import { directoryIsTaken, type StatePaths, statePaths } from "./state-directory.ts";
import { serveSupervisor } from "./supervisor-server.ts";
import { Supervisor } from "./supervisor.ts";

// On a full disk the log cannot be written, which must not stop the supervisor.
process.stderr.on("error", () => undefined);
try {
  process.exitCode = await main();
} catch (error) {
  report(describeError(error));
  // The work in progress would otherwise continue without the lock.
  process.exit(1);
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      state: { type: "string" },
      stop: { type: "boolean", default: false },
      resume: { type: "boolean", default: false },
    },
  });
  if (values.state === undefined) throw new InvalidInput("--state DIR is required");
  // A removed directory must not be recreated.
  if (!values.resume) mkdirSync(values.state, { recursive: true, mode: 0o700 });
  const paths = statePaths(realpathSync(resolve(values.state)));
  const attempt = await tryDirectoryLock(paths.lock, `supervise ${paths.directory}`);
  if (!("lock" in attempt)) {
    const { owner } = attempt;
    report(`another supervisor${owner && ` (PID ${owner.pid})`} is already using ${paths.directory}`);
    return directoryIsTaken;
  }
  try {
    if (values.resume && existsSync(paths.stopping)) return 0;
    await removeOlderLocks(paths);
    await supervise(paths, values.stop);
  } finally {
    await attempt.lock.release();
  }
  return 0;
}

async function supervise(paths: StatePaths, isOnlyToStop: boolean): Promise<void> {
  const guardian = new GuardianRestarts(paths, report);
  const supervisor = new Supervisor({ paths, report, onEnding: () => void guardian.end() });
  const end = (): void => supervisor.stop();
  process.on("SIGTERM", end).on("SIGINT", end).on("SIGHUP", reload);
  report(`process ${process.pid} is supervising ${paths.directory}`);
  if (isOnlyToStop) supervisor.stop();
  else rmSync(paths.stopping, { force: true });
  supervisor.begin();
  onceRemoved(paths.directory, () => {
    supervisor.abandon();
    process.exit(1);
  });
  const server = await serveSupervisor(supervisor, paths.socket);
  guardian.begin();
  await supervisor.ended;
  await server.close();
  await guardian.end();
  report("all services stopped");

  function reload(): void {
    try {
      supervisor.reload();
    } catch (error) {
      report(describeError(error));
    }
  }
}

/** Calls back once when a directory no longer exists, even if there is a new one of that name. */
function onceRemoved(directory: string, tell: () => void): void {
  const first = statSync(directory);
  const timer = setInterval(() => {
    const now = statSync(directory, { throwIfNoEntry: false });
    if (now?.ino === first.ino && now.dev === first.dev) return;
    clearInterval(timer);
    tell();
  }, 1_000);
  timer.unref();
}

async function removeOlderLocks({ locks, lock }: StatePaths): Promise<void> {
  for (const entry of await readdir(locks)) {
    const other = join(locks, entry);
    if (!other.startsWith(lock)) await rm(other, { recursive: true, force: true });
  }
}

function report(message: string): void {
  process.stderr.write(`${new Date().toISOString()} ${message}\n`);
}
