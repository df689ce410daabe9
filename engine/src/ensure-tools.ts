import { ButlerError, describeError, Unavailable } from "@butler/std";
import { chmod, rm } from "node:fs/promises";
import { join } from "node:path";
import { cacheRoot, engineDirectory, readDigest, ToolCache } from "./cache.ts";
import { type DirectoryLock, type LockOwner, waitForDirectoryLock } from "./directory-lock.ts";
import { selectTools, type Tool, type ToolName, type ToolsLock, toolsLock } from "./lock-file.ts";
import { type Progress, ProgressTracker } from "./progress.ts";
import { renderProgress } from "./progress-renderer.ts";
import { archiveSource } from "./sources/archive.ts";
import { goBuildSource } from "./sources/go-build.ts";
import { parseSourceOrder, type Source, type SourceFailure, type SourceName } from "./sources/source.ts";
import { checkToolVersion } from "./tool-version.ts";

/** How to bring the binaries; everything has a default. */
export interface EnsureToolsOptions {
  /** Settings are read from here; the process's own environment by default. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Compare the whole content with the manifest, not only the size. */
  readonly verify?: boolean;
  /** Who is told; by default text on standard error. */
  readonly progress?: Progress;
  readonly signal?: AbortSignal | undefined;
  readonly lock?: ToolsLock;
  /** Replaces the real sources and their order. */
  readonly sources?: readonly Source[];
}

/** The absolute path of each program. */
export type ToolPaths<Name extends string = ToolName> = Readonly<Record<Name, string>>;

/** Opens the cache that the environment points to. */
export async function openToolCache(environment: NodeJS.ProcessEnv = process.env): Promise<ToolCache> {
  return new ToolCache(join(cacheRoot(environment), await readDigest()));
}

/**
 * Makes sure that the named programs are in the cache and gives their paths. Whoever asks first does the work; others,
 * in this process or another, wait until what they asked for is there.
 */
export async function ensureTools<Name extends string = ToolName>(
  names: readonly Name[],
  options: EnsureToolsOptions = {},
): Promise<ToolPaths<Name>> {
  const environment = options.environment ?? process.env;
  const tools = selectTools(options.lock ?? toolsLock, names);
  const sources = options.sources ?? chosenSources(environment);
  const cache = await openToolCache(environment);
  if ((await cache.findMissing(tools, options)).length > 0) {
    const progress = options.progress ?? renderProgress(process.stderr);
    try {
      await new Errand({ cache, tools, sources, progress, options }).run();
    } finally {
      progress.closed();
    }
  }
  return Object.fromEntries(tools.map(({ name }) => [name, cache.pathOf(name)])) as ToolPaths<Name>;
}

function chosenSources(environment: NodeJS.ProcessEnv): Source[] {
  const make: Readonly<Record<SourceName, () => Source>> = {
    archive: () => archiveSource({ environment }),
    go: () => goBuildSource({ environment, moduleDirectory: engineDirectory }),
  };
  return parseSourceOrder(environment["BUTLER_ENGINE_SOURCES"]).map((name) => make[name]());
}

interface ErrandParts {
  readonly cache: ToolCache;
  readonly tools: readonly Tool[];
  readonly sources: readonly Source[];
  readonly progress: Progress;
  readonly options: EnsureToolsOptions;
}

/** One run through the sources until nothing is missing. */
class Errand {
  readonly #parts: ErrandParts;
  readonly #reasons: string[] = [];

  constructor(parts: ErrandParts) {
    this.#parts = parts;
  }

  async run(): Promise<void> {
    const lock = await this.#waitForLock();
    try {
      if (lock !== undefined) await this.#bringMissing();
    } finally {
      await lock?.release();
    }
  }

  #waitForLock(): Promise<DirectoryLock | undefined> {
    const { cache, tools, progress, options } = this.#parts;
    return waitForDirectoryLock({
      path: cache.lockPath,
      purpose: `bring ${tools.map(({ name }) => name).join(", ")}`,
      onWait: (owner) => progress.waiting(describeOwner(owner)),
      // Whoever asked for a full comparison wants it done under the lock, not over and over while waiting.
      isStillNeeded: async () => options.verify === true || (await cache.findMissing(tools)).length > 0,
      signal: options.signal,
    });
  }

  async #bringMissing(): Promise<void> {
    const { cache, tools, sources, options } = this.#parts;
    let missing = await cache.findMissing(tools, options);
    for (const source of sources) {
      if (missing.length === 0) return;
      await this.#ask(source, missing);
      missing = await cache.findMissing(missing);
    }
    if (missing.length === 0) return;
    throw new Unavailable(
      `the engine could not bring ${missing.map(({ name }) => name).join(", ")}:\n${this.#reasons.join("\n")}`,
      { hint: "See the README of the engine for mirrors, for building with Go and for filling the cache elsewhere." },
    );
  }

  async #ask(source: Source, tools: readonly Tool[]): Promise<void> {
    const { cache, progress, options } = this.#parts;
    const tracker = new ProgressTracker({ progress, tools, source: source.name });
    const heartbeat = setInterval(() => tracker.tick(), 1_000);
    const workDirectory = await cache.makeWorkDirectory();
    try {
      const failures = await source.bring({
        tools,
        workDirectory,
        signal: options.signal,
        working: (tool, fraction) => tracker.working(tool, fraction),
        deliver: async (tool, file) => {
          await chmod(file, 0o755);
          await checkToolVersion(tool, file);
          await cache.install({ tool, file, source: source.name });
          tracker.finished(tool);
        },
      });
      this.#note(source, failures, tracker);
    } catch (error) {
      options.signal?.throwIfAborted();
      const undelivered = await cache.findMissing(tools);
      this.#note(
        source,
        undelivered.map((tool) => ({ tool, error })),
        tracker,
      );
    } finally {
      clearInterval(heartbeat);
      await rm(workDirectory, { recursive: true, force: true, maxRetries: 3 });
    }
  }

  #note(source: Source, failures: readonly SourceFailure[], tracker: ProgressTracker): void {
    const namesByReason = new Map<string, string[]>();
    for (const { tool, error } of failures) {
      tracker.failed(tool, error);
      const hint = error instanceof ButlerError && error.hint !== undefined ? ` (${error.hint})` : "";
      const reason = `${describeError(error)}${hint}`;
      namesByReason.set(reason, [...(namesByReason.get(reason) ?? []), tool.name]);
    }
    for (const [reason, names] of namesByReason) {
      this.#reasons.push(`- ${names.join(", ")} from ${source.name}: ${reason}`);
    }
  }
}

function describeOwner(owner: LockOwner | undefined): string {
  return owner === undefined
    ? "another process that fills the cache"
    : `process ${owner.pid} on ${owner.host}, which is to ${owner.purpose}`;
}
