import { InvalidInput, NotFound, Unavailable } from "@butler/std";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { engineDirectory } from "../tool-set.ts";
import { lastLines } from "../text-tail.ts";
import { goEnvironment } from "./go-build-call.ts";
import { demandedGoVersion, goProgram, requireGo } from "./go-toolchain.ts";

const run = promisify(execFile);
const shownLines = 5;

/** How to find a module; everything has a default. */
export interface ModuleDirectoryOptions {
  readonly environment?: NodeJS.ProcessEnv;
  /** The directory of the go.mod that pins the module. */
  readonly directory?: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The source directory of a Go module, at the version that the engine is built from. It is in Go's module cache,
 * read-only, and downloaded if it is missing.
 */
export async function moduleDirectory(module: string, options: ModuleDirectoryOptions = {}): Promise<string> {
  const { environment = process.env, directory = engineDirectory, signal } = options;
  if (!/^[\w.~-]+(?:\/[\w.~-]+)*$/.test(module) || module.startsWith("-")) {
    throw new InvalidInput(`"${module}" is not a valid Go module path`);
  }
  const version = demandedGoVersion(await readFile(join(directory, "go.mod"), "utf8"));
  await requireGo(environment, { version, purpose: `read ${module}` });
  const go = async (...words: string[]): Promise<string> => {
    const { stdout } = await run(goProgram, words, { cwd: directory, env: goEnvironment(environment), signal });
    return stdout.trim();
  };
  const find = async (): Promise<string> => go("list", "-m", "-f", "{{.Dir}}", module);
  const found = await find().catch((error: unknown) => {
    signal?.throwIfAborted();
    throw new NotFound(`the engine does not depend on the Go module ${module}: ${lastWords(error)}`);
  });
  if (found !== "") return found;
  await go("mod", "download", module).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw new Unavailable(`failed to download the Go module ${module}: ${lastWords(error)}`, {
      hint: "Set GOPROXY to a module proxy that this machine can reach, or copy a populated module cache to this machine.",
    });
  });
  return find();
}

function lastWords(error: unknown): string {
  return lastLines((error as { readonly stderr?: string }).stderr ?? String(error), shownLines);
}
