/**
 * A program, started by `startSupervisor`: `daemon.ts --state DIR [--stop]`. It supervises the services of DIR until it
 * is told to stop them, and outlives whoever started it. When it is killed the services go on, and the next one takes
 * them over. With `--stop` it takes over what runs only to end it.
 */
import { describeError, InvalidInput } from "@butler/std";
import { mkdirSync, realpathSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { tryDirectoryLock } from "../directory-lock.ts";
import { type StatePaths, statePaths } from "./state-directory.ts";
import { serveSupervisor } from "./supervisor-server.ts";
import { Supervisor } from "./supervisor.ts";

/** The exit code that says that another supervisor has the directory. */
const directoryIsTaken = 2;

// On a full disk the log cannot be written, which must not end the supervisor.
process.stderr.on("error", () => undefined);
try {
  process.exitCode = await main();
} catch (error) {
  report(describeError(error));
  process.exitCode = 1;
}

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { state: { type: "string" }, stop: { type: "boolean", default: false } } });
  if (values.state === undefined) throw new InvalidInput("--state DIR is missing");
  mkdirSync(values.state, { recursive: true, mode: 0o700 });
  const paths = statePaths(realpathSync(resolve(values.state)));
  const attempt = await tryDirectoryLock(paths.lock, `supervise ${paths.directory}`);
  if (!("lock" in attempt)) {
    const { owner } = attempt;
    report(`another supervisor${owner && ` (process ${owner.pid})`} has ${paths.directory} already`);
    return directoryIsTaken;
  }
  try {
    await removeOlderLocks(paths);
    await supervise(paths, values.stop);
  } finally {
    await attempt.lock.release();
  }
  return 0;
}

async function supervise(paths: StatePaths, isOnlyToStop: boolean): Promise<void> {
  const supervisor = new Supervisor({ paths, report });
  const end = (): void => supervisor.stop();
  process.on("SIGTERM", end).on("SIGINT", end).on("SIGHUP", reload);
  report(`process ${process.pid} supervises ${paths.directory}`);
  if (isOnlyToStop) supervisor.stop();
  supervisor.begin();
  const server = await serveSupervisor(supervisor, paths.socket);
  await supervisor.ended;
  await server.close();
  report("everything was stopped");

  function reload(): void {
    try {
      supervisor.reload();
    } catch (error) {
      report(describeError(error));
    }
  }
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
