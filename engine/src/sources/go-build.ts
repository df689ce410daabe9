import { type Clock, describeError, sleep, systemClock, Unavailable } from "@butler/std";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { builtFileName, type Tool } from "../lock-file.ts";
import { TextTail } from "../text-tail.ts";
import { demandedGoVersion, goProgram, requireGo } from "./go-toolchain.ts";
import type { Source, SourceRequest } from "./source.ts";

/** What the Go source builds, and in which surroundings. */
export interface GoBuildSourceOptions {
  readonly environment: NodeJS.ProcessEnv;
  /** The directory of the Go module that pins all packages. */
  readonly moduleDirectory: string;
  readonly clock?: Clock;
}

const pollMs = 250;
const shownLines = 20;

/** `go build` of the pinned modules: one call for all, each program delivered as soon as it is linked. */
export function goBuildSource({ environment, moduleDirectory, clock = systemClock }: GoBuildSourceOptions): Source {
  return {
    name: "go",
    bring: async (request) => {
      await requireGo(environment, demandedGoVersion(await readFile(join(moduleDirectory, "go.mod"), "utf8")));
      const output = join(request.workDirectory, "output");
      const temporary = join(request.workDirectory, "temporary");
      await Promise.all([mkdir(output), mkdir(temporary)]);
      const deliveries = new Deliveries(request, output);
      const tail = await build({ request, deliveries, clock, moduleDirectory, output, temporary, environment });
      for (const tool of deliveries.missing()) {
        const refusal = deliveries.refusalOf(tool);
        const why = refusal === undefined ? "" : `: ${describeError(refusal)}`;
        request.fail(tool, new Unavailable(`go build did not make ${tool.name}${why}\n${tail.lines(shownLines)}`));
      }
    },
  };
}

/** The arguments of the one `go build` call. */
export function goBuildArguments(tools: readonly Tool[], output: string): string[] {
  const linkValues = Object.assign({}, ...tools.map((tool) => tool.project.linkValues)) as Record<string, string>;
  const stamps = Object.entries(linkValues).map(([variable, value]) => `-X ${variable}=${value}`);
  const linkerFlags = ["-s", "-w", ...stamps].join(" ");
  const packages = tools.map((tool) => tool.package);
  return ["build", "-trimpath", "-gcflags=all=-dwarf=false", "-ldflags", linkerFlags, "-o", `${output}/`, ...packages];
}

/**
 * The environment of the build. Go's temporary directory lies beside the output so that a linked program arrives by
 * rename, whole or not at all; the target is always the machine itself.
 */
export function goBuildEnvironment(environment: NodeJS.ProcessEnv, temporary: string): NodeJS.ProcessEnv {
  const { GOOS: _os, GOARCH: _arch, ...rest } = environment;
  return {
    ...rest,
    CGO_ENABLED: "0",
    GOGC: "off",
    GOMEMLIMIT: "3GiB",
    GOTOOLCHAIN: "local",
    GOWORK: "off",
    GOFLAGS: "-buildvcs=false -mod=readonly",
    GOTMPDIR: temporary,
  };
}

interface Build {
  readonly request: SourceRequest;
  readonly deliveries: Deliveries;
  readonly clock: Clock;
  readonly moduleDirectory: string;
  readonly output: string;
  readonly temporary: string;
  readonly environment: NodeJS.ProcessEnv;
}

async function build({ request, deliveries, clock, ...where }: Build): Promise<TextTail> {
  const go = spawn(goProgram, goBuildArguments(request.tools, where.output), {
    cwd: where.moduleDirectory,
    env: goBuildEnvironment(where.environment, where.temporary),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const tail = new TextTail();
  for (const stream of [go.stdout, go.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => tail.append(text));
  const stopBuild = (): void => void go.kill("SIGTERM");
  request.signal?.addEventListener("abort", stopBuild, { once: true });
  const ended = once(go, "close").then(() => "ended" as const);
  try {
    for (let state: "ended" | undefined; state !== "ended";) {
      state = await Promise.race([ended, sleep(clock, pollMs).then(() => undefined)]);
      await deliveries.collect({ hasEnded: state === "ended" });
    }
  } finally {
    request.signal?.removeEventListener("abort", stopBuild);
    stopBuild();
  }
  request.signal?.throwIfAborted();
  return tail;
}

/** Watches the output directory and hands over each program once it is whole. */
class Deliveries {
  readonly #request: SourceRequest;
  readonly #output: string;
  readonly #sizes = new Map<Tool, number>();
  readonly #delivered = new Set<Tool>();
  readonly #refusals = new Map<Tool, unknown>();

  constructor(request: SourceRequest, output: string) {
    this.#request = request;
    this.#output = output;
    this.#announce();
  }

  missing(): Tool[] {
    return this.#request.tools.filter((tool) => !this.#delivered.has(tool));
  }

  refusalOf(tool: Tool): unknown {
    return this.#refusals.get(tool);
  }

  /**
   * Delivers what looks whole: a size that has not changed since the last look, or any size once the build has ended.
   * Delivering runs the program for its version; one that does not run yet is looked at again.
   */
  async collect({ hasEnded }: { readonly hasEnded: boolean }): Promise<void> {
    for (const tool of this.missing()) {
      const file = join(this.#output, builtFileName(tool.package));
      const size = (await stat(file).catch(() => undefined))?.size;
      if (size === undefined) continue;
      const isSettled = hasEnded || this.#sizes.get(tool) === size;
      this.#sizes.set(tool, size);
      if (isSettled) await this.#tryToDeliver(tool, file);
    }
  }

  async #tryToDeliver(tool: Tool, file: string): Promise<void> {
    try {
      await this.#request.deliver(tool, file);
      this.#delivered.add(tool);
      this.#announce();
    } catch (error) {
      this.#refusals.set(tool, error);
    }
  }

  /** Go works in command-line order, so the first program that is missing is the one being built. */
  #announce(): void {
    const [next] = this.missing();
    if (next !== undefined) this.#request.working(next);
  }
}
