import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { MutationReport } from "./judge.ts";

export interface TestRun {
  /** The copy of the repository. */
  readonly copy: string;
  /** The test files to run. */
  readonly files: readonly string[];
  /** The tests of them to run, by their names or parts of them. */
  readonly names: readonly string[];
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

/** vitest fails a test that hangs; the limit of a run is long enough for that. */
const testLimitMs = 70_000;

/** Grace period of processes after a stop request. */
const farewellMs = 5_000;

/** Runs the named tests in the copy. Undefined when they did not finish in time. */
export async function runNamedTests({
  copy,
  files,
  names,
  limitMs,
  signal,
}: TestRun): Promise<MutationReport | undefined> {
  const report = join(copy, "report.json");
  await rm(report, { force: true });
  const args = [
    join(copy, "node_modules", "vitest", "vitest.mjs"),
    "run",
    "--reporter=json",
    `--outputFile.json=${report}`,
    `--testTimeout=${testLimitMs}`,
    `--testNamePattern=${names.map(namePattern).join("|")}`,
    ...files,
  ];
  // A separate process group: processes started by tests are stopped with them.
  const child = spawn(process.execPath, args, { cwd: copy, stdio: "ignore", detached: true });
  const end = new Promise<void>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", () => resolve());
  });
  const stop = (how: NodeJS.Signals): void => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) process.kill(-child.pid, how);
  };
  const giveUp = (): void => {
    stop("SIGTERM");
    setTimeout(() => stop("SIGKILL"), farewellMs).unref();
  };
  const timer = setTimeout(giveUp, limitMs);
  signal.addEventListener("abort", giveUp, { once: true });
  await end;
  clearTimeout(timer);
  signal.removeEventListener("abort", giveUp);
  signal.throwIfAborted();
  return existsSync(report) ? (JSON.parse(await readFile(report, "utf8")) as MutationReport) : undefined;
}

/** Between a describe block and its test, vitest has a space in its report and an arrow in name patterns. */
export function namePattern(name: string): string {
  return name.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&").replaceAll(" ", "(?: | > )");
}
