import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { repositoryRoot } from "../steps.ts";
import type { VitestReport } from "./counts.ts";
import type { FileCost } from "./profile.ts";

/** Options of a vitest run. */
export interface VitestCall {
  /** Distinguishes its reports from those of other runs. */
  readonly name: string;
  /** Directory of the reports. */
  readonly folder: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Prefix of each line, if several runs print at the same time. */
  readonly prefix?: string;
  readonly onStart?: (pid: number) => void;
  /** Aborts the run. */
  readonly signal?: AbortSignal;
}

export interface VitestRun {
  readonly code: number;
  readonly report: VitestReport;
  readonly files: readonly FileCost[];
}

const noTests: VitestReport = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, testResults: [] };

/** Runs vitest to completion. */
export async function runVitest(call: VitestCall): Promise<VitestRun> {
  const { name, folder, args, environment, prefix, onStart, signal } = call;
  const [report, costs] = [join(folder, `${name}.json`), join(folder, `${name}.costs.json`)];
  const reporters = ["--reporter=default", "--reporter=json", "--reporter=./tools/test/profile-reporter.ts"];
  const code = await new Promise<number>((resolve, reject) => {
    const child = spawn("vitest", ["run", ...reporters, `--outputFile.json=${report}`, ...args], {
      cwd: repositoryRoot,
      env: { ...process.env, ...environment, BUTLER_TEST_COSTS: costs },
      stdio: prefix === undefined ? "inherit" : ["ignore", "pipe", "pipe"],
      // A process group of its own, so that no worker outlives an interrupted run: its API servers would, too.
      detached: true,
    });
    for (const stream of [child.stdout, child.stderr]) {
      if (stream !== null) createInterface({ input: stream }).on("line", (line) => console.log(`${prefix} ${line}`));
    }
    if (child.pid !== undefined) onStart?.(child.pid);
    signal?.addEventListener("abort", () => child.kill("SIGINT"), { once: true });
    child.on("error", reject);
    child.on("exit", () => killGroup(child.pid));
    child.on("close", (status) => resolve(status ?? 1));
  });
  return {
    code,
    report: await readJson(report, noTests),
    files: await readJson<readonly FileCost[]>(costs, []),
  };
}

function killGroup(leader: number | undefined): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // No member of the group is left.
  }
}

/** vitest writes no report if it could not start. */
async function readJson<T>(file: string, otherwise: T): Promise<T> {
  return existsSync(file) ? (JSON.parse(await readFile(file, "utf8")) as T) : otherwise;
}
