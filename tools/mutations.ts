// `npm run mutations`: breaks lines of the product one at a time, in a copy of the repository, and checks for each
// whether the test that guards it fails. `npm run mutations -- steward` selects those that contain the word; `--
// --write` writes test/mutations/README.md when all were detected.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { controlPlaneTools, ensureTools } from "@butler/engine";
import { mutations } from "../test/mutations/mutations.ts";
import { faultWithout, judgeRun, type MutationReport, type Verdict } from "./mutations/judge.ts";
import { applyMutation, isMeant, type Mutation } from "./mutations/mutation.ts";
import { runNamedTests } from "./mutations/run-tests.ts";
import { makeScratchCopy } from "./mutations/scratch-copy.ts";
import { mutationsPage, sumLine, verdictLine } from "./mutations/table.ts";
import { repositoryRoot } from "./steps.ts";

/** For one test file. */
const limitMs = 120_000;

process.env["GOGC"] ??= "400";
const isToWrite = process.argv.includes("--write");
const words = process.argv.slice(2).filter((word) => word !== "--write");
const chosen = mutations.filter((mutation) => isMeant(mutation, words));
const stopping = new AbortController();
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(name, () => stopping.abort());

const startedAt = performance.now();
const secondsSince = (since: number): number => (performance.now() - since) / 1_000;
await ensureTools(controlPlaneTools);
const copy = await mkdtemp(join(tmpdir(), "butler-mutations-"));
try {
  await makeScratchCopy(repositoryRoot, copy);
  const verdicts = await tryAll();
  console.log(sumLine(verdicts, secondsSince(startedAt)));
  const areAllSeen = verdicts.length > 0 && verdicts.every(({ kind }) => kind === "killed");
  if (isToWrite && areAllSeen && chosen.length === mutations.length) {
    await writeFile(join(repositoryRoot, "test", "mutations", "README.md"), mutationsPage(mutations));
  }
  process.exitCode = areAllSeen ? 0 : 1;
} catch (error) {
  if (!stopping.signal.aborted) throw error;
  process.exitCode = 130;
} finally {
  await rm(copy, { recursive: true, force: true });
}

async function tryAll(): Promise<Verdict[]> {
  const files = [...new Set(chosen.map(({ test }) => test))];
  console.log(`${files.length} test files without mutations ...`);
  const asItIs = await runTests(files);
  console.log(`${secondsSince(startedAt).toFixed(0).padStart(4)} s`);
  const verdicts: Verdict[] = [];
  for (const mutation of chosen) {
    const since = performance.now();
    const verdict = await tryOne(mutation, asItIs);
    verdicts.push(verdict);
    console.log(verdictLine(mutation, verdict, secondsSince(since)));
  }
  return verdicts;
}

/** Always the same tests of a file: one that depends on another must not fail because the other was skipped. */
function runTests(files: readonly string[]): Promise<MutationReport | undefined> {
  const names = [...new Set(chosen.map(({ fails }) => fails))];
  return runNamedTests({ copy, files, names, limitMs: limitMs * files.length, signal: stopping.signal });
}

async function tryOne(mutation: Mutation, asItIs: MutationReport | undefined): Promise<Verdict> {
  const fault = faultWithout(mutation, asItIs);
  if (fault !== undefined) return { kind: "invalid", because: fault };
  const path = join(copy, mutation.file);
  const text = await readFile(path, "utf8");
  await writeFile(path, applyMutation(text, mutation));
  try {
    return judgeRun(mutation, await runTests([mutation.test]));
  } finally {
    await writeFile(path, text);
  }
}
