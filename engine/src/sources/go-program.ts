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

/** The build environment; everything has a default. */
export interface GoProgramOptions {
  readonly environment?: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Builds a program from a directory of Go files against exactly the modules that the engine is built from, and returns
 * its path. The directory needs no go.mod of its own and adds nothing to the engine's. Programs are cached by a digest
 * of their inputs, so the same files are built once.
 */
export async function buildGoProgram(folder: string, options: GoProgramOptions = {}): Promise<string> {
  const { environment = process.env, signal } = options;
  const files = (await readdir(folder)).filter((file) => file.endsWith(".go")).sort();
  const sources = files.map((file) => join(folder, file));
  // The cache directory already identifies the modules.
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
    throw new Unavailable(`go build did not produce ${basename(program)}: ${lastLines(said, shownLines)}`, {
      cause: error,
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
