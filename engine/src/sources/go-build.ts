import { type Clock, describeError, sleep, systemClock, Unavailable } from "@butler/std";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { GoModule, Tool } from "../lock-file.ts";
import { TextTail } from "../text-tail.ts";
import { BuildDeliveries } from "./build-deliveries.ts";
import { requireCToolchain } from "./c-toolchain.ts";
import { divideIntoCalls, goBuildArguments, goEnvironment } from "./go-build-call.ts";
import { demandedGoVersion, goProgram, requireGo } from "./go-toolchain.ts";
import type { Source, SourceRequest } from "./source.ts";

/** The input and environment of the Go source. */
export interface GoBuildSourceOptions {
  readonly environment: NodeJS.ProcessEnv;
  /** The directory that the modules' directories are relative to. */
  readonly engineDirectory: string;
  readonly clock?: Clock;
}

const pollMs = 250;
const shownLines = 20;

/**
 * `go build` of the pinned modules, with each program delivered as soon as it is linked. Modules are built in parallel,
 * so that one that waits, for example for a system package, does not delay the others.
 */
export function goBuildSource({ environment, engineDirectory, clock = systemClock }: GoBuildSourceOptions): Source {
  return {
    name: "go",
    bring: async (request) => {
      const modules = Map.groupBy(request.tools, (tool) => tool.module);
      for (const { directory } of modules.keys()) {
        const goMod = await readFile(join(engineDirectory, directory, "go.mod"), "utf8");
        await requireGo(environment, { version: demandedGoVersion(goMod), purpose: "build the engine" });
      }
      const building = [...modules].map(([module, tools]) => {
        const moduleDirectory = join(engineDirectory, module.directory);
        return new ModuleBuild({ request, module, tools, moduleDirectory, environment, clock }).run();
      });
      await Promise.all(building);
      request.signal?.throwIfAborted();
    },
  };
}

interface ModuleBuildParts {
  readonly request: SourceRequest;
  readonly module: GoModule;
  readonly tools: readonly Tool[];
  readonly moduleDirectory: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly clock: Clock;
}

/** The build of one module. */
class ModuleBuild {
  readonly #parts: ModuleBuildParts;

  constructor(parts: ModuleBuildParts) {
    this.#parts = parts;
  }

  /** Never throws: a failure of one module does not affect the others. */
  async run(): Promise<void> {
    const { tools } = this.#parts;
    if (!(await this.#attempt(tools, () => this.#prepare()))) return;
    for (const call of divideIntoCalls(tools)) await this.#attempt(call, () => this.#runCall(call));
  }

  async #attempt(tools: readonly Tool[], step: () => Promise<void>): Promise<boolean> {
    try {
      await step();
      return true;
    } catch (error) {
      this.#fail(tools, () => error);
      return false;
    }
  }

  async #prepare(): Promise<void> {
    const { request, module, environment } = this.#parts;
    if (module.cgo === undefined) return;
    await requireCToolchain({
      environment,
      workDirectory: request.workDirectory,
      libraries: module.cgo.libraries,
      note: (text) => request.note(text),
    });
  }

  async #runCall(tools: readonly Tool[]): Promise<void> {
    const { request } = this.#parts;
    if (request.signal?.aborted === true) return;
    const directory = await mkdtemp(join(request.workDirectory, "go-"));
    const [output, temporary] = [join(directory, "output"), join(directory, "temporary")];
    await Promise.all([mkdir(output), mkdir(temporary)]);
    const deliveries = new BuildDeliveries({ ...request, tools }, output);
    const tail = await this.#build(tools, deliveries, { output, temporary });
    this.#fail(deliveries.missing(), (tool) => {
      const refusal = deliveries.refusalOf(tool);
      const why = refusal === undefined ? "" : `: ${describeError(refusal)}`;
      return new Unavailable(`go build did not produce ${tool.name}${why}\n${tail.lines(shownLines)}`);
    });
  }

  #fail(tools: readonly Tool[], explain: (tool: Tool) => unknown): void {
    const { request } = this.#parts;
    if (request.signal?.aborted === true) return;
    for (const tool of tools) request.fail(tool, explain(tool));
  }

  async #build(
    tools: readonly Tool[],
    deliveries: BuildDeliveries,
    where: { readonly output: string; readonly temporary: string },
  ): Promise<TextTail> {
    const { request, module, moduleDirectory, environment, clock } = this.#parts;
    const go = spawn(goProgram, goBuildArguments(tools, where.output), {
      cwd: moduleDirectory,
      // The temporary directory is on the same file system as the output, so that a linked program appears atomically
      // by rename.
      env: {
        ...goEnvironment(environment),
        CGO_ENABLED: module.cgo === undefined ? "0" : "1",
        GOTMPDIR: where.temporary,
      },
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
    return tail;
  }
}
