// `npm test`: installs the engine's binaries, runs all tests, prints where the time went and ends with the line
// `N passed, N failed`. `npm test -- packages/kube` runs the tests below a folder; `npm run test:fast` everything that
// needs no API server.
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { clusterApiTools, earlierKubernetes, ensureTools, localEngineTools } from "@butler/engine";
import { enginesIn, keepEnginesVariable, removeEngines } from "@butler/testkit";
import { bundleParts, commandLines, commonJsParts } from "./cli/bundle-cli.ts";
import { joinParts } from "./cli/launcher.ts";
import { repositoryRoot } from "./steps.ts";
import {
  causesOf,
  type Counts,
  countResults,
  failuresOf,
  filesToRepeat,
  type VitestReport,
  withRepeats,
} from "./test/counts.ts";
import { prepareMachine } from "./test/prepare-machine.ts";
import { machineSeconds, ProcessorTime } from "./test/processor-time.ts";
import { buildProfile, type FileCost, kindOf, printProfile } from "./test/profile.ts";
import { runVitest, type VitestRun } from "./test/run-vitest.ts";
import { allShifts, fastShift, type Shift, workThrough } from "./test/shifts.ts";

// API servers of tests live for minutes: with fewer garbage collections they use a quarter less CPU time.
process.env["GOGC"] ??= "800";
process.env["GOMEMLIMIT"] ??= "1GiB";

/** A third one would take longer than it saves: engines and tenant clusters use CPU time for as long as they live. */
const shiftsAtOnce = 2;
const isFast = process.argv.includes("--fast");
const filters = process.argv.slice(2).filter((word) => word !== "--fast");
const profileFile = join(repositoryRoot, ".cache", "test-profile.json");

await ensureTools([...localEngineTools, ...clusterApiTools, "kubeadm", "helm"]);
// Upgrade tests start from the previous minor version.
if (!isFast) await ensureTools(Object.keys(earlierKubernetes.lock.tools), { set: earlierKubernetes });
if (!isFast && filters.length === 0) await prepareMachine();

const folder = await mkdtemp(join(tmpdir(), "butler-test-"));
const engines = join(folder, "engines");
const processorTime = new ProcessorTime();
// Engines outlive the processes that start them, so an interrupted run shuts down gracefully, too.
const interruption = new AbortController();
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(name, () => interruption.abort());
try {
  process.env["BUTLER_TEST_PROGRAMS"] = await buildPrograms(join(folder, "programs"));
  process.env["BUTLER_TEST_TALLY"] = join(folder, "tally");
  process.env["BUTLER_TEST_ENGINES"] = engines;
  await mkdir(engines);
  const [startedAt, before] = [performance.now(), machineSeconds()];
  processorTime.start();
  const runs = await runAll();
  processorTime.stop();
  const first = mergeReports(runs.map((run) => run.report));
  const repeat = await repeatFailures(first);
  const report = repeat === undefined ? first : withRepeats(first, repeat.report);
  const counts = countResults(report);
  // Repeating failed tests does not help a run that ended for another reason.
  const endedEarly = runs.some((run) => run.code !== 0 && failuresOf(run.report).length === 0);
  const isBroken = interruption.signal.aborted || endedEarly || (repeat !== undefined && repeat.code !== 0);
  const isGreen = !isBroken && counts.failed === 0 && counts.passed > 0;
  await tellProfile(
    runs.flatMap(({ files }) => files),
    { wallSeconds: (performance.now() - startedAt) / 1_000, before },
  );
  tellFailures(failuresOf(report));
  tellCounts(counts, isGreen);
  process.exitCode = isGreen ? 0 : 1;
} finally {
  await removeEngines(engines, await enginesIn(engines));
  await rm(folder, { recursive: true, force: true });
}

/** All tests in shifts; if paths are given, one call for those. */
async function runAll(): Promise<VitestRun[]> {
  if (filters.length > 0)
    return [await runVitest({ name: "named", folder, args: filters, signal: interruption.signal })];
  const run = (shift: Shift): Promise<VitestRun> =>
    runVitest({
      name: shift.name,
      folder,
      args: shift.projects.map((project) => `--project=${project}`),
      ...(shift.keepsEngine === true ? { environment: { [keepEnginesVariable]: "1" } } : {}),
      prefix: `[${shift.name}]`,
      onStart: (pid) => processorTime.own(pid, kindOf(shift.name)),
      signal: interruption.signal,
    });
  return workThrough(isFast ? [fastShift] : allShifts, { atOnce: shiftsAtOnce, run, signal: interruption.signal });
}

/**
 * Runs files with failures once more, alone, if they are few, and prints why. A test that passes only then is a defect
 * that has to be found; this goes once the suite has been green three times in a row without it.
 */
async function repeatFailures(first: VitestReport): Promise<VitestRun | undefined> {
  const files = interruption.signal.aborted ? [] : filesToRepeat(first);
  if (files.length === 0) return undefined;
  console.log("\nRepeated, because they failed:");
  for (const file of files) {
    console.log(`  ${relative(repositoryRoot, file)}`);
    for (const cause of causesOf(first, file)) console.log(`    ${cause}`);
  }
  const paths = files.map((file) => relative(repositoryRoot, file));
  return runVitest({
    name: "repeated",
    folder,
    args: ["--no-file-parallelism", ...paths],
    signal: interruption.signal,
  });
}

/** The command lines as they are released; their tests run these. */
async function buildPrograms(into: string): Promise<string> {
  await mkdir(into);
  for (const name of commandLines) {
    await writeFile(join(into, `${name}.cjs`), joinParts(await commonJsParts(await bundleParts(name))));
  }
  return into;
}

/** Shifts print interleaved, so failures are listed again at the end. */
function tellFailures(failures: readonly string[]): void {
  if (failures.length > 0) console.log("\nFailed:");
  for (const failure of failures) console.log(`  ${relative(repositoryRoot, failure)}`);
}

async function tellProfile(
  files: readonly FileCost[],
  { wallSeconds, before }: { readonly wallSeconds: number; readonly before: ReturnType<typeof machineSeconds> },
): Promise<void> {
  const tally = join(folder, "tally");
  const lines = existsSync(tally) ? (await readFile(tally, "utf8")).split("\n").filter((line) => line !== "") : [];
  const now = machineSeconds();
  const profile = buildProfile({
    files,
    wallSeconds,
    started: lines.map((line) => JSON.parse(line) as { what: string }),
    processorSeconds: processorTime.seconds(),
    processors: {
      busySeconds: now.busySeconds - before.busySeconds,
      idleSeconds: now.idleSeconds - before.idleSeconds,
    },
  });
  for (const line of printProfile(profile)) console.log(line);
  await mkdir(join(profileFile, ".."), { recursive: true });
  await writeFile(profileFile, `${JSON.stringify({ ...profile, files }, undefined, 1)}\n`);
  console.log(`All files: ${relative(repositoryRoot, profileFile)}`);
}

function tellCounts({ passed, failed, skipped }: Counts, isGreen: boolean): void {
  // A run that was interrupted without a failing test is still a failure.
  const atLeast = isGreen ? 0 : Math.max(1, failed);
  console.log(`${passed} passed, ${atLeast} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
}

/** Merges the reports of several vitest runs. */
function mergeReports(reports: readonly VitestReport[]): VitestReport {
  const sum = (of: (report: VitestReport) => number): number => reports.reduce((total, each) => total + of(each), 0);
  return {
    numPassedTests: sum(({ numPassedTests }) => numPassedTests),
    numFailedTests: sum(({ numFailedTests }) => numFailedTests),
    numPendingTests: sum(({ numPendingTests }) => numPendingTests),
    testResults: reports.flatMap(({ testResults }) => testResults),
  };
}
