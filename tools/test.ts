// `npm test`: brings the engine's binaries, runs every test there is and ends with the line `N passed, N failed`.
// `npm test -- packages/kube` runs the tests below a folder.
//
// Files with failures are run once more, alone, when they are few: thousands of tests with real API servers, engines
// and crashes on two cores meet the machine's own hiccups. What passed only then is named at the end, not hidden.
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { clusterApiTools, earlierKubernetes, ensureTools, localEngineTools } from "@butler/engine";
import { bundleParts, commandLines, commonJsParts } from "./cli/bundle-cli.ts";
import { joinParts } from "./cli/launcher.ts";
import { repositoryRoot } from "./steps.ts";
import { countResults, countWithRepeats, failuresOf, filesToRepeat, type VitestReport } from "./test-counts.ts";

// API servers of tests live for a minute: with rarer collections they take a fifth less of the processors.
process.env["GOGC"] ??= "400";

await ensureTools([...localEngineTools, ...clusterApiTools, "kubeadm", "helm"]);
// Upgrades are tried out from the minor version before.
await ensureTools(Object.keys(earlierKubernetes.lock.tools), { set: earlierKubernetes });

const folder = await mkdtemp(join(tmpdir(), "butler-test-"));
try {
  process.env["BUTLER_TEST_PROGRAMS"] = await buildPrograms(join(folder, "programs"));
  const first = await runVitest("first", process.argv.slice(2));
  const again = first.code === 0 ? [] : filesToRepeat(first.report);
  const second = again.length === 0 ? undefined : await repeat(first.report, again);
  const counts = second === undefined ? countResults(first.report) : countWithRepeats(first.report, second.report);
  const isGreen = (second ?? first).code === 0 && counts.failed === 0 && counts.passed > 0;
  if (second !== undefined) tellRepeated(first.report, isGreen);
  // A run that broke off without a failing test is a failure all the same.
  const failed = isGreen ? 0 : Math.max(1, counts.failed);
  console.log(`${counts.passed} passed, ${failed} failed${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ""}`);
  process.exitCode = isGreen ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** The command lines as people are given them; their tests run these. */
async function buildPrograms(into: string): Promise<string> {
  await mkdir(into);
  for (const name of commandLines) {
    await writeFile(join(into, `${name}.cjs`), joinParts(await commonJsParts(await bundleParts(name))));
  }
  return into;
}

function repeat(report: VitestReport, files: readonly string[]): Promise<VitestRun> {
  console.log(`\n${failuresOf(report).length} failed; their files are run once more, one at a time:`);
  const paths = files.map((file) => relative(repositoryRoot, file));
  for (const path of paths) console.log(`  ${path}`);
  return runVitest("second", ["--maxWorkers=1", "--no-file-parallelism", ...paths]);
}

function tellRepeated(first: VitestReport, isGreen: boolean): void {
  console.log(isGreen ? "\npassed only when run again:" : "\nfailed the first time:");
  for (const failure of failuresOf(first)) console.log(`  ${relative(repositoryRoot, failure)}`);
}

interface VitestRun {
  readonly code: number;
  readonly report: VitestReport;
}

async function runVitest(name: string, filters: readonly string[]): Promise<VitestRun> {
  const path = join(folder, `${name}.json`);
  const args = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${path}`, ...filters];
  const code = await new Promise<number>((resolve, reject) => {
    const child = spawn("vitest", args, { cwd: repositoryRoot, stdio: "inherit" });
    child.on("error", reject);
    child.on("close", (status) => resolve(status ?? 1));
  });
  return { code, report: JSON.parse(await readFile(path, "utf8")) as VitestReport };
}
