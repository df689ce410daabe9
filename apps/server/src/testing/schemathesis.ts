import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { access, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { systemPackages } from "@butler/engine";
import { describeError, isRecord, Unavailable } from "@butler/std";
import { cacheFolder } from "@butler/std/cache-folder";

const run = promisify(execFile);
const beside = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const requirements = beside("schemathesis.requirements.txt");
const largestOutput = 64 << 20;

/**
 * A Python virtual environment with schemathesis in Butler's cache, created once per content of the requirements file,
 * whose hashes pip verifies.
 */
export async function ensureSchemathesis(): Promise<string> {
  const digest = createHash("sha256")
    .update(await readFile(requirements))
    .digest("hex")
    .slice(0, 16);
  const home = cacheFolder(process.env, "schemathesis", digest);
  const python = join(home, "bin", "python");
  if (await isThere(python)) return python;
  await mkdir(dirname(home), { recursive: true });
  const work = await mkdtemp(`${home}.`);
  try {
    await makeEnvironment(work);
    const install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes"];
    await run(join(work, "bin", "python"), [...install, "-r", requirements], { maxBuffer: largestOutput });
    // Another process may have created it first; the result is the same.
    await rename(work, home).catch(async (error: unknown) => {
      if (!(await isThere(python))) throw error;
    });
    return python;
  } catch (error) {
    if (error instanceof Unavailable) throw error;
    throw new Unavailable(`schemathesis cannot be installed: ${describeError(error)}`, {
      cause: error,
      hint: "Requires Python 3.11 or later and access to PyPI.",
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function makeEnvironment(directory: string): Promise<void> {
  const make = () => run("python3", ["-m", "venv", "--clear", directory]);
  try {
    await make();
  } catch {
    // Debian ships the module in a separate package.
    const packages = systemPackages();
    const obstacle = await packages.findObstacle();
    if (obstacle !== undefined) throw withoutPython(obstacle);
    await packages.install(["python3", "python3-venv"]);
    await make().catch((error: unknown) => {
      throw withoutPython(describeError(error));
    });
  }
}

function withoutPython(reason: string): Unavailable {
  return new Unavailable(`python3 with the venv module is missing and cannot be installed: ${reason}`, {
    hint: "Install python3 and python3-venv (their names on Debian and Ubuntu).",
  });
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Input of a schemathesis run. */
export interface SchemathesisRun {
  readonly python: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly seed: number;
  readonly maxExamples: number;
  readonly phases: readonly string[];
  /** Whether the coverage phase skips near-duplicate cases. */
  readonly isShort: boolean;
  readonly checks: readonly string[];
  readonly excludedOperations: readonly string[];
  /** Path parameters with existing values; about half of the requests use one. */
  readonly known: Readonly<Record<string, readonly string[]>>;
}

/** Result of a run. */
export interface SchemathesisResult {
  readonly isGood: boolean;
  /** The complete output. */
  readonly output: string;
}

/** Runs schemathesis on the OpenAPI document of a server. */
export async function runSchemathesis(options: SchemathesisRun): Promise<SchemathesisResult> {
  const { python, url, excludedOperations } = options;
  const directory = await mkdtemp(join(tmpdir(), "butler-schemathesis-"));
  try {
    const own = join(directory, "schemathesis.toml");
    await writeFile(own, configOf(options));
    const values = {
      "generation-database": "none",
      seed: String(options.seed),
      "max-examples": String(options.maxExamples),
      phases: options.phases.join(","),
      checks: options.checks.join(","),
      "request-timeout": "30",
      "max-redirects": "0",
      warnings: "off",
    };
    // By path, because the environment was moved after the script was written.
    const program = [join(dirname(python), "st"), "--config-file", own, "run", `${url}/api/openapi.json`];
    const flags = ["--no-color", "--continue-on-failure", "--no-shrink", "--exclude-deprecated"];
    const args = [
      ...program,
      ...flags,
      ...Object.entries(values).map(([name, value]) => `--${name}=${value}`),
      ...excludedOperations.map((id) => `--exclude-operation-id=${id}`),
    ];
    const env = options.isShort ? { ...process.env, SCHEMATHESIS_HOOKS: beside("schemathesis_short.py") } : process.env;
    const { stdout, stderr } = await run(python, args, { cwd: directory, env, maxBuffer: largestOutput });
    return { isGood: true, output: stdout + stderr };
  } catch (error) {
    if (!isRecord(error) || typeof error["stdout"] !== "string") throw error;
    return { isGood: false, output: `${error["stdout"]}${String(error["stderr"])}` };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Statuses that reject an invalid request; the last one is returned for URLs that are too long. */
const rejections = [400, 401, 403, 404, 405, 409, 410, 413, 415, 422, 429, 431];

/** Configuration file, for settings without a command-line option. */
function configOf({ headers, known }: SchemathesisRun): string {
  const text = (value: unknown): string => JSON.stringify(value);
  const lines = Object.entries(headers).map(([name, value]) => `${text(name)} = ${text(value)}`);
  const dictionaries = Object.entries(known).map(([name, values]) => `${text(name)} = { values = ${text(values)} }`);
  const bindings = Object.keys(known).map(
    (name) => `${text(`path.${name}`)} = { dictionary = ${text(name)}, probability = 0.5 }`,
  );
  return [
    `hooks = ${text(beside("schemathesis_quick.py"))}`,
    "[headers]",
    ...lines,
    "[dictionaries]",
    ...dictionaries,
    "[parameters]",
    ...bindings,
    // The headers above determine the user.
    "[generation]",
    "with-security-parameters = false",
    // Two of them represent all others: each adds one request per URL.
    "[phases.coverage]",
    'unexpected-methods = ["PATCH", "TRACE"]',
    "[checks.negative_data_rejection]",
    `expected-statuses = ${text(rejections)}`,
    "",
  ].join("\n");
}
