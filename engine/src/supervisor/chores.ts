import { describeError } from "@butler/std";
import { lastLines } from "../text-tail.ts";
import type { ProcessExit } from "../control-plane/process-guard.ts";
import { logSince, logSize } from "./log-file.ts";
import { type BootIdentity, signalGroup, startProcess } from "./service-process.ts";
import { runsTheSame, type ServiceSpec } from "./service-spec.ts";
import { describeExit, type ServiceContext } from "./supervised-service.ts";

interface Chore {
  spec: ServiceSpec;
  dueAtMs: number;
  startedAtMs: number;
  process: BootIdentity | undefined;
  problem: string | undefined;
}

const shownLines = 5;
/** Maximum duration of a run in intervals; on a busy machine even a short run takes time. */
const longestRun = 10;

/** Programs that run periodically instead of continuously. One that fails is a problem until it succeeds. */
export class Chores {
  readonly #context: ServiceContext;
  #chores: ReadonlyMap<string, Chore> = new Map();

  constructor(context: ServiceContext) {
    this.#context = context;
  }

  get specs(): ServiceSpec[] {
    return [...this.#chores.values()].map(({ spec }) => spec);
  }

  /** Current problems, as sentences. */
  get problems(): string[] {
    return [...this.#chores.values()].flatMap(({ problem }) => problem ?? []);
  }

  /** Sets the chores. A new one is due after its first interval. */
  define(specs: readonly ServiceSpec[]): void {
    const before = this.#chores;
    for (const spec of specs) {
      const known = before.get(spec.name);
      // Its current run belongs to an outdated spec.
      if (known !== undefined && !runsTheSame(known.spec, spec)) stop(known);
    }
    const nowMs = this.#context.clock.monotonicMs();
    this.#chores = new Map(
      specs.map((spec) => {
        const known = before.get(spec.name) ?? {
          dueAtMs: Infinity,
          startedAtMs: 0,
          process: undefined,
          problem: undefined,
        };
        return [spec.name, Object.assign(known, { spec, dueAtMs: Math.min(known.dueAtMs, nowMs + intervalOf(spec)) })];
      }),
    );
    for (const [name, chore] of before) if (!this.#chores.has(name)) stop(chore);
  }

  /** Starts chores that are due and returns the time of the next. A run that takes too long is killed. */
  runDue(nowMs: number): number {
    let nextMs = Infinity;
    for (const chore of this.#chores.values()) {
      if (chore.dueAtMs <= nowMs) {
        chore.dueAtMs = nowMs + intervalOf(chore.spec);
        if (chore.process === undefined) this.#start(chore, nowMs);
        else if (nowMs - chore.startedAtMs >= longestRun * intervalOf(chore.spec)) stop(chore);
      }
      nextMs = Math.min(nextMs, chore.dueAtMs);
    }
    return nextMs;
  }

  /** Stops running chores; nothing else is started. */
  end(): void {
    this.define([]);
  }

  #start(chore: Chore, nowMs: number): void {
    const { spec } = chore;
    chore.startedAtMs = nowMs;
    const logStart = logSize(spec.logFile);
    try {
      chore.process = startProcess(spec, {
        mark: this.#context.markOf(spec),
        onProblem: (message) => this.#context.report(`${spec.name}: ${message}`),
        onExit: (exit) => {
          chore.process = undefined;
          this.#judge(chore, isSuccess(exit) ? undefined : describeFailure(spec, exit, logStart));
        },
      });
    } catch (error) {
      this.#judge(chore, `cannot start: ${describeError(error)}`);
    }
  }

  #judge(chore: Chore, failure: string | undefined): void {
    const problem = failure === undefined ? undefined : `${chore.spec.name}: ${failure}`;
    if (problem !== undefined && problem !== chore.problem) this.#context.report(problem);
    chore.problem = problem;
    this.#context.wake();
  }
}

function intervalOf({ everyMs = Infinity }: ServiceSpec): number {
  return everyMs;
}

function isSuccess({ code }: ProcessExit): boolean {
  return code === 0;
}

function stop({ process: running }: Chore): void {
  if (running !== undefined) signalGroup(running.pid, "SIGKILL");
}

function describeFailure({ logFile }: ServiceSpec, exit: ProcessExit, logStart: number): string {
  const said = lastLines(logSince(logFile, logStart), shownLines);
  return said === "" ? describeExit(exit) : `${describeExit(exit)}: ${said}`;
}
