import { Unavailable } from "@butler/std";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { waitForDirectoryLock } from "../directory-lock.ts";
import { openToolCache } from "../ensure-tools.ts";
import { lastLines } from "../text-tail.ts";
import { engineDirectory } from "../tool-set.ts";
import { goBuildArguments, goEnvironment } from "./go-build-call.ts";
import { demandedGoVersion, goProgram, requireGo } from "./go-toolchain.ts";

const run = promisify(execFile);
const shownLines = 20;

/** In which surroundings to build; everything has a default. */
export interface GoProgramOptions {
  readonly environment?: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Builds a program from a folder of Go files against the very modules that the engine is built from, and gives its path.
 * The folder needs no go.mod of its own and adds nothing to the engine's. A program lies in the cache under what it is made
 * of, so the same files are built once.
 */
export async function buildGoProgram(folder: string, options: GoProgramOptions = {}): Promise<string> {
  const { environment = process.env, signal } = options;
  const files = (await readdir(folder)).filter((file) => file.endsWith(".go")).sort();
  const sources = files.map((file) => join(folder, file));
  // The directory of the cache stands for the modules already.
  const { directory } = await openToolCache(environment);
  const program = join(directory, "programs", `${basename(folder)}-${await digestOf(sources)}`);
  if (await exists(program)) return program;
  const lock = await waitForDirectoryLock({
    path: `${program}.lock`,
    purpose: `build ${basename(folder)}`,
    isStillNeeded: async () => !(await exists(program)),
    signal,
  });
  try {
    if (!(await exists(program))) await build({ sources, program, environment, signal });
  } finally {
    await lock?.release();
  }
  return program;
}

async function digestOf(sources: readonly string[]): Promise<string> {
  const hash = createHash("sha256");
  for (const source of sources) hash.update(await readFile(source));
  return hash.digest("hex").slice(0, 16);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

interface Build extends GoProgramOptions {
  readonly sources: readonly string[];
  readonly program: string;
  readonly environment: NodeJS.ProcessEnv;
}

async function build({ sources, program, environment, signal }: Build): Promise<void> {
  const goMod = await readFile(join(engineDirectory, "go.mod"), "utf8");
  await requireGo(environment, { version: demandedGoVersion(goMod), purpose: `build ${basename(program)}` });
  const folder = join(program, "..");
  await mkdir(folder, { recursive: true });
  const work = await mkdtemp(join(folder, "work-"));
  try {
    const words = [...goBuildArguments([], work), ...sources];
    await run(goProgram, words, { cwd: engineDirectory, env: goEnvironment(environment), signal });
    // Go names it after the first file.
    await rename(join(work, basename(sources[0] ?? "", ".go")), program);
  } catch (error) {
    signal?.throwIfAborted();
    const said = (error as { readonly stderr?: string }).stderr ?? String(error);
    throw new Unavailable(`go build did not make ${basename(program)}: ${lastLines(said, shownLines)}`, {
      cause: error,
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
