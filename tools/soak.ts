// `npm run soak -- NAME`: the long form of tests that `npm test` runs briefly, with a new seed each time; `--seed
// NUMBER` repeats one. Without a name it lists the names.
import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { join } from "node:path";
import { filesOf, listSoaks, mostSeed, parseSoakRequest, type Soak } from "./soaks.ts";
import { repositoryRoot } from "./steps.ts";

/** Default timeout of tests. */
const testTimeoutMs = 3_600_000;

const args = process.argv.slice(2);
const request = parseSoakRequest(args);
if (request !== undefined) process.exitCode = await runSoak(request.soak, request.seed ?? randomInt(1, mostSeed));
else {
  const usage = `usage: npm run soak -- NAME [--seed NUMBER], where NAME is one of:\n${listSoaks()}`;
  if (args.length === 0) console.log(usage);
  else console.error(usage);
  process.exitCode = args.length === 0 ? 0 : 2;
}

/** Runs tests, then benchmarks, until one fails, and returns the last exit code. */
async function runSoak(soak: Soak, seed: number): Promise<number> {
  const { name, what, minutes, benches = [] } = soak;
  const files = await filesOf(soak);
  console.log(`${name}: ${what}; about ${minutes} min, of:`);
  for (const file of files) console.log(`  ${file}`);
  for (const bench of benches) console.log(`  npm run bench -- ${bench.join(" ")}`);
  const programs = benches.map(
    (bench) => () => run(process.execPath, [join(import.meta.dirname, "bench.ts"), ...bench]),
  );
  if (files.length > 0) {
    console.log(`seed ${seed}; repeat this run with: npm run soak -- ${name} --seed ${seed}`);
    programs.unshift(() => runTests(files, seed));
  }
  let code = 0;
  for (const program of programs) {
    code = await program();
    if (code !== 0) break;
  }
  return code;
}

function runTests(files: readonly string[], seed: number): Promise<number> {
  // As in `npm test`: API servers of tests use less CPU time with fewer garbage collections.
  const { GOGC = "400" } = process.env;
  return run("vitest", ["run", "--no-file-parallelism", `--testTimeout=${testTimeoutMs}`, ...files], {
    ...process.env,
    GOGC,
    BUTLER_SOAK: "1",
    BUTLER_TEST_SEED: String(seed),
  });
}

function run(command: string, words: readonly string[], environment: NodeJS.ProcessEnv = process.env): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, words, { cwd: repositoryRoot, stdio: "inherit", env: environment });
    // Long runs are sometimes interrupted; the child must not continue in the background.
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => child.kill(signal));
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 1));
  });
}
