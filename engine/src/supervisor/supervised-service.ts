import { type Clock, deepEqual, describeError } from "@butler/std";
import type { ProcessExit } from "../control-plane/process-guard.ts";
import { lastLines } from "../text-tail.ts";
import { logSince, logSize } from "./log-file.ts";
import { type ObservedRun, type ObservedService, planRetry } from "./plan.ts";
import { watchReadiness } from "./readiness.ts";
import { type BootIdentity, isRunning, signalGroup, startProcess } from "./service-process.ts";
import { runsTheSame, type ServiceSpec } from "./service-spec.ts";
import type { ServiceExit, ServiceState, ServiceStatus, StoredService } from "./service-status.ts";

/** What services share with their supervisor. */
export interface ServiceContext {
  readonly clock: Clock;
  readonly markOf: (spec: ServiceSpec) => string;
  /** Something happened that may ask for action. */
  readonly wake: () => void;
  readonly report: (message: string) => void;
}

/** What only the supervisor knows about a service. */
export interface ServiceOutlook {
  readonly isWanted: boolean;
  readonly waitsFor: readonly string[];
}

interface Run extends ObservedRun {
  readonly process: BootIdentity;
  readonly isAdopted: boolean;
  readonly logStart: number;
  spec: ServiceSpec;
  isReady: boolean;
  isRestartAsked: boolean;
  stop: ObservedRun["stop"];
  readyAtMs: number;
  notReadyBecause: string;
  watch: AbortController;
}

const shownLines = 15;

/** One service: its process if it has one, and what became of those before. */
export class SupervisedService implements ObservedService {
  readonly #context: ServiceContext;
  #spec: ServiceSpec;
  #run: Run | undefined;
  #retryAtMs = 0;
  #failures = 0;
  #restarts = 0;
  #lastExit: ServiceExit | undefined;
  /** Why there is no process, when there should be one. */
  #trouble: { readonly state: "Backoff" | "Failed"; readonly message: string } | undefined;
  #state: ServiceState = "Waiting";
  #message = "";
  #since: string;
  isHeld = false;

  constructor(spec: ServiceSpec, context: ServiceContext) {
    this.#spec = spec;
    this.#context = context;
    this.#since = context.clock.now().toISOString();
  }

  get run(): ObservedRun | undefined {
    return this.#run;
  }

  get retryAtMs(): number {
    return this.#retryAtMs;
  }

  get isAdopted(): boolean {
    return this.#run?.isAdopted === true;
  }

  get spec(): ServiceSpec {
    return this.#spec;
  }

  /** What the next supervisor has to know. The present process may still be one of an older spec. */
  get stored(): StoredService & ServiceStatus {
    return { ...this.status, spec: this.#run?.spec ?? this.#spec };
  }

  get status(): ServiceStatus {
    return {
      name: this.#spec.name,
      state: this.#state,
      since: this.#since,
      message: this.#message,
      process: this.#run?.process,
      isAdopted: this.isAdopted,
      restarts: this.#restarts,
      lastExit: this.#lastExit,
    };
  }

  /** Takes a new spec and a fresh look: what was held or had failed may start at once. */
  define(spec: ServiceSpec): void {
    this.#spec = spec;
    this.isHeld = false;
    this.#retryAtMs = 0;
    this.#failures = 0;
    const run = this.#run;
    if (run === undefined || run.stop !== undefined || !runsTheSame(run.spec, spec)) return;
    const isProbedAlike = deepEqual(run.spec.readiness, spec.readiness);
    run.spec = spec;
    if (!isProbedAlike) this.#watch(run);
  }

  /** Takes over a process that an earlier supervisor started. */
  adopt(identity: BootIdentity, { spec, restarts, lastExit }: Omit<StoredService, "process">): void {
    this.#restarts = restarts;
    this.#lastExit = lastExit;
    this.#begin({ process: identity, spec, isAdopted: true, logStart: logSize(spec.logFile) });
  }

  start(): void {
    const { clock, markOf, report } = this.#context;
    const spec = this.#spec;
    const logStart = logSize(spec.logFile);
    if (this.#lastExit !== undefined) this.#restarts += 1;
    try {
      const identity: BootIdentity = startProcess(spec, {
        mark: markOf(spec),
        onExit: (exit) => this.#end(identity, exit),
        onProblem: (message) => report(`${spec.name}: ${message}`),
      });
      this.#begin({ process: identity, spec, isAdopted: false, logStart });
    } catch (error) {
      const message = `it cannot be started: ${describeError(error)}`;
      if (message !== this.#trouble?.message) report(`${spec.name}: ${message}`);
      this.#trouble = { state: "Failed", message };
      const retry = planRetry({ spec, failures: this.#failures, readyForMs: 0 });
      this.#failures = retry.failures;
      this.#retryAtMs = clock.monotonicMs() + retry.delayMs;
    }
  }

  /** Wants a new process: in place of the present one, or at once when there is none. */
  restart(): void {
    this.isHeld = false;
    this.#retryAtMs = 0;
    this.#failures = 0;
    if (this.#run === undefined) return;
    this.#run.isRestartAsked = true;
    // From this moment on nobody may take the present process for the one that was asked for.
    this.refresh({ isWanted: true, waitsFor: [] });
  }

  askToEnd(signal: NodeJS.Signals): void {
    const run = this.#run;
    if (run === undefined) return;
    run.stop = { askedAtMs: this.#context.clock.monotonicMs(), isForced: false };
    run.watch.abort();
    this.#signal(run, signal);
  }

  kill(): void {
    const run = this.#run;
    if (run?.stop === undefined) return;
    run.stop = { ...run.stop, isForced: true };
    this.#signal(run, "SIGKILL");
  }

  /** Kills the process without waiting for its end. */
  abandon(): void {
    if (this.#run !== undefined) this.#signal(this.#run, "SIGKILL");
  }

  /** Nobody tells of the end of a process that is not a child. */
  noticeEnd(): void {
    const run = this.#run;
    if (run?.isAdopted === true && !isRunning(run.process)) this.#end(run.process, { code: null, signal: null });
  }

  /** Works out the state anew and tells whether it changed. */
  refresh(outlook: ServiceOutlook): boolean {
    const [state, message] = this.#describe(outlook);
    const hasNewState = state !== this.#state;
    if (!hasNewState && message === this.#message) return false;
    if (hasNewState) this.#since = this.#context.clock.now().toISOString();
    this.#state = state;
    this.#message = message;
    return true;
  }

  #begin(parts: Pick<Run, "process" | "spec" | "isAdopted" | "logStart">): void {
    const run: Run = {
      ...parts,
      isReady: false,
      isRestartAsked: false,
      stop: undefined,
      readyAtMs: 0,
      notReadyBecause: "",
      watch: new AbortController(),
    };
    this.#run = run;
    this.#trouble = undefined;
    this.#watch(run);
  }

  #watch(run: Run): void {
    const { clock, wake } = this.#context;
    run.watch.abort();
    run.watch = new AbortController();
    const onResult = (notReadyBecause: string | undefined): void => {
      if (notReadyBecause === undefined && !run.isReady) run.readyAtMs = clock.monotonicMs();
      run.isReady = notReadyBecause === undefined;
      run.notReadyBecause = notReadyBecause ?? "";
      wake();
    };
    void watchReadiness(run.spec, { signal: run.watch.signal, clock, onResult });
  }

  #signal(run: Run, signal: NodeJS.Signals): void {
    // The number of a process that is not a child may belong to a stranger once it has ended.
    if (!run.isAdopted || isRunning(run.process)) signalGroup(run.process.pid, signal);
  }

  #end(ended: BootIdentity, exit: ProcessExit): void {
    const run = this.#run;
    if (run?.process !== ended) return;
    const { clock, report, wake } = this.#context;
    this.#run = undefined;
    run.watch.abort();
    this.#lastExit = { ...exit, at: clock.now().toISOString() };
    this.#retryAtMs = 0;
    if (run.stop === undefined) {
      const readyForMs = run.isReady ? clock.monotonicMs() - run.readyAtMs : 0;
      const retry = planRetry({ spec: run.spec, failures: this.#failures, readyForMs });
      this.#failures = retry.failures;
      this.#retryAtMs = clock.monotonicMs() + retry.delayMs;
      this.#trouble = { state: "Backoff", message: describeEnd(run, exit, retry.failures) };
      report(`${run.spec.name}: ${describeExit(exit)}, starts again in ${retry.delayMs} ms`);
    } else {
      this.#failures = 0;
    }
    wake();
    try {
      // What the process had started and left behind would be in the way of the next one.
      signalGroup(ended.pid, "SIGKILL");
    } catch (error) {
      report(`${run.spec.name}: what it left behind cannot be killed: ${describeError(error)}`);
    }
  }

  #describe({ isWanted, waitsFor }: ServiceOutlook): [state: ServiceState, message: string] {
    if (this.#run !== undefined) return describeRun(this.#run, waitsFor);
    if (!isWanted) return ["Stopped", ""];
    const trouble = this.#trouble;
    if (trouble !== undefined && waitsFor.length === 0) return [trouble.state, trouble.message];
    const waiting = waitsFor.length === 0 ? [] : [`waits for ${waitsFor.join(", ")}`];
    return ["Waiting", [...waiting, ...(trouble === undefined ? [] : [trouble.message])].join("; ")];
  }
}

/** One that is about to be replaced waits only for the end of those that depend on it. */
function describeRun(run: Run, waitsFor: readonly string[]): [state: ServiceState, message: string] {
  if (run.stop !== undefined) return ["Stopping", run.stop.isForced ? "did not end in time and was killed" : ""];
  if (waitsFor.length > 0) return ["Stopping", `waits for the end of ${waitsFor.join(", ")}`];
  if (run.isRestartAsked) return ["Stopping", ""];
  return run.isReady ? ["Ready", ""] : ["Starting", run.notReadyBecause];
}

/** How a process ended, as the rest of a sentence. */
export function describeExit({ code, signal }: ProcessExit): string {
  if (signal !== null) return `ended with signal ${signal}`;
  return code === null ? "ended" : `ended with code ${code}`;
}

function describeEnd({ spec, logStart }: Run, exit: ProcessExit, failures: number): string {
  const times = failures === 1 ? "" : ` (${failures} times in a row)`;
  const log = lastLines(logSince(spec.logFile, logStart), shownLines);
  return `${describeExit(exit)}${times}; ${log === "" ? "it logged nothing" : `the end of its log:\n${log}`}`;
}
