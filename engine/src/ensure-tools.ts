import { Unavailable } from "@butler/std";
import { chmod, rm } from "node:fs/promises";
import { join } from "node:path";
import { cacheRoot, readDigest, ToolCache } from "./cache.ts";
import { type DirectoryLock, type LockOwner, waitForDirectoryLock } from "./directory-lock.ts";
import { explainError } from "./explain-error.ts";
import { selectTools, type Tool, type ToolName, type ToolsLock } from "./lock-file.ts";
import { type Progress, ProgressTracker } from "./progress.ts";
import { renderProgress } from "./progress-renderer.ts";
import { archiveSource } from "./sources/archive.ts";
import { goBuildSource } from "./sources/go-build.ts";
import { parseSourceOrder, type Source, type SourceName } from "./sources/source.ts";
import { engineToolSet, type ToolSet } from "./tool-set.ts";
import { checkToolVersion } from "./tool-version.ts";

/** How to install the binaries; everything has a default. */
export interface EnsureToolsOptions<Name extends string = string> {
  /** Environment variables for the settings; by default those of the process. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Compare the whole content with the manifest, not only the size. */
  readonly verify?: boolean;
  /** Receives progress; by default text on standard error. */
  readonly progress?: Progress;
  /**
   * Called once for each program as soon as it can be used, while others are still being installed; immediately for
   * cached programs.
   */
  onReady?(name: Name, path: string): void;
  readonly signal?: AbortSignal | undefined;
  /** The set of programs; the engine's own by default. */
  readonly set?: ToolSet;
  readonly lock?: ToolsLock;
  /** Replaces the real sources and their order. */
  readonly sources?: readonly Source[];
}

/** The absolute path of each program. */
export type ToolPaths<Name extends string = ToolName> = Readonly<Record<Name, string>>;

/** Opens the cache selected by the environment. */
export async function openToolCache(
  environment: NodeJS.ProcessEnv = process.env,
  set: ToolSet = engineToolSet,
): Promise<ToolCache> {
  return new ToolCache(join(cacheRoot(environment), await readDigest(set)));
}

/**
 * Makes sure that the named programs are in the cache and returns their paths. The first caller does the work; others,
 * in this process or another, wait until their tools are installed.
 */
export async function ensureTools<Name extends string = ToolName>(
  names: readonly Name[],
  options: EnsureToolsOptions<Name> = {},
): Promise<ToolPaths<Name>> {
  const environment = options.environment ?? process.env;
  const set = options.set ?? engineToolSet;
  const tools = selectTools(options.lock ?? set.lock, names);
  const sources = options.sources ?? chosenSources(environment, set);
  const cache = await openToolCache(environment, set);
  const readiness = new Readiness((name) => options.onReady?.(name as Name, cache.pathOf(name)));
  const missing = await cache.findMissing(tools, options);
  readiness.tell(tools, missing);
  if (missing.length > 0) {
    const progress = options.progress ?? renderProgress(process.stderr);
    try {
      await new Errand({ cache, tools, sources, progress, readiness, options }).run();
    } finally {
      progress.closed();
    }
    readiness.tell(tools);
  }
  return Object.fromEntries(tools.map(({ name }) => [name, cache.pathOf(name)])) as ToolPaths<Name>;
}

function chosenSources(environment: NodeJS.ProcessEnv, { directory }: ToolSet): Source[] {
  const make: Readonly<Record<SourceName, () => Source>> = {
    archive: () => archiveSource({ environment }),
    go: () => goBuildSource({ environment, engineDirectory: directory }),
  };
  return parseSourceOrder(environment["BUTLER_ENGINE_SOURCES"]).map((name) => make[name]());
}

/** Reports once for each tool that it can be used. */
class Readiness {
  readonly #told = new Set<Tool>();
  readonly #onReady: (name: string) => void;

  constructor(onReady: (name: string) => void) {
    this.#onReady = onReady;
  }

  tell(tools: readonly Tool[], except: readonly Tool[] = []): void {
    for (const tool of tools) {
      if (this.#told.has(tool) || except.includes(tool)) continue;
      this.#told.add(tool);
      this.#onReady(tool.name);
    }
  }
}

interface ErrandParts {
  readonly cache: ToolCache;
  readonly tools: readonly Tool[];
  readonly sources: readonly Source[];
  readonly progress: Progress;
  readonly readiness: Readiness;
  readonly options: EnsureToolsOptions;
}

/** One pass through the sources until nothing is missing. */
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
      purpose: `install ${tools.map(({ name }) => name).join(", ")}`,
      onWait: (owner) => progress.waiting(describeOwner(owner)),
      isStillNeeded: () => this.#isAnythingMissing(),
      signal: options.signal,
    });
  }

  async #isAnythingMissing(): Promise<boolean> {
    const { cache, tools, readiness, options } = this.#parts;
    // A caller that requests a full comparison wants it done under the lock, not repeatedly while waiting.
    if (options.verify === true) return true;
    const missing = await cache.findMissing(tools);
    readiness.tell(tools, missing);
    return missing.length > 0;
  }

  async #bringMissing(): Promise<void> {
    const { cache, tools, sources, readiness, options } = this.#parts;
    let missing = await cache.findMissing(tools, options);
    readiness.tell(tools, missing);
    for (const source of sources) {
      if (missing.length === 0) return;
      await this.#ask(source, this.#offered(source, missing));
      // A damaged file that no source has replaced is still damaged.
      missing = await cache.findMissing(missing, options);
    }
    if (missing.length === 0) return;
    throw new Unavailable(`failed to install ${nameAll(missing)}:\n${this.#reasons.join("\n")}`, {
      hint: "See engine/README.md for how to use mirrors, build with Go, or fill the cache on another machine.",
    });
  }

  /** The tools that a source can provide; the reason for the rest is kept, but is not reported as a failure. */
  #offered(source: Source, tools: readonly Tool[]): Tool[] {
    const refusals = tools.flatMap((tool) => {
      const error = source.refuses?.(tool);
      return error === undefined ? [] : [{ tool, error }];
    });
    this.#reasons.push(...describeFailures(source.name, refusals));
    return tools.filter((tool) => !refusals.some((refusal) => refusal.tool === tool));
  }

  async #ask(source: Source, tools: readonly Tool[]): Promise<void> {
    if (tools.length === 0) return;
    const { cache, progress, readiness, options } = this.#parts;
    const tracker = new ProgressTracker({ progress, tools, source: source.name });
    const heartbeat = setInterval(() => tracker.tick(), 1_000);
    const workDirectory = await cache.makeWorkDirectory();
    const failures: Failure[] = [];
    const fail = (tool: Tool, error: unknown): void => {
      failures.push({ tool, error });
      tracker.failed(tool, error);
    };
    try {
      await source.bring({
        tools,
        workDirectory,
        signal: options.signal,
        fail,
        working: (tool, fraction) => tracker.working(tool, fraction),
        note: (text) => progress.noted(text),
        deliver: async (tool, file) => {
          await chmod(file, 0o755);
          await checkToolVersion(tool, file);
          await cache.install({ tool, file, source: source.name });
          tracker.finished(tool);
          readiness.tell([tool]);
        },
      });
    } catch (error) {
      options.signal?.throwIfAborted();
      for (const tool of await cache.findMissing(tools, options)) fail(tool, error);
    } finally {
      clearInterval(heartbeat);
      await rm(workDirectory, { recursive: true, force: true, maxRetries: 3 });
    }
    this.#reasons.push(...describeFailures(source.name, failures));
  }
}

interface Failure {
  readonly tool: Tool;
  readonly error: unknown;
}

/** One line per reason, since one failure often affects several tools. */
function describeFailures(source: SourceName, failures: readonly Failure[]): string[] {
  const reasonOf = ({ error }: Failure): string => explainError(error).replaceAll("\n", "\n    ");
  return [...Map.groupBy(failures, reasonOf)].map(
    ([reason, group]) => `- ${nameAll(group.map(({ tool }) => tool))} from ${source}: ${reason}`,
  );
}

const namedAtMost = 6;

/** The first few names. */
function nameAll(tools: readonly Tool[]): string {
  const names = tools.slice(0, namedAtMost).map(({ name }) => name);
  const others = tools.length - names.length;
  return names.join(", ") + (others === 0 ? "" : ` and ${others} others`);
}

function describeOwner(owner: LockOwner | undefined): string {
  return owner === undefined
    ? "another process to fill the cache"
    : `process ${owner.pid} on ${owner.host} to ${owner.purpose}`;
}
