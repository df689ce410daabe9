import { type Clock, deepEqual, describeError } from "@butler/std";
import type { ProcessExit } from "../control-plane/process-guard.ts";
import { lastLines } from "../text-tail.ts";
import { logSince, logSize } from "./log-file.ts";
import { type ObservedRun, type ObservedService, planRetry } from "./plan.ts";
import { watchReadiness } from "./readiness.ts";
import { type BootIdentity, isRunning, signalGroup, startProcess } from "./service-process.ts";
import { runsTheSame, type ServiceSpec } from "./service-spec.ts";
import type { ServiceExit, ServiceState, ServiceStatus, StoredService } from "./service-status.ts";

/** Context shared by the services of a supervisor. */
export interface ServiceContext {
  readonly clock: Clock;
  readonly markOf: (spec: ServiceSpec) => string;
  /** Reports an event that may require an action. */
  readonly wake: () => void;
  readonly report: (message: string) => void;
}

/** Facts about a service that only the supervisor knows. */
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

/** One service: its process, if any, and the history of earlier ones. */
export class SupervisedService implements ObservedService {
  readonly #context: ServiceContext;
  #spec: ServiceSpec;
  #run: Run | undefined;
  #retryAtMs = 0;
  #failures = 0;
  #restarts = 0;
  #lastExit: ServiceExit | undefined;
  /** Why there is no process although there should be one. */
  #failure: { readonly state: "Backoff" | "Failed"; readonly message: string } | undefined;
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

  /** The state that the next supervisor needs. The current process may still have an older spec. */
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

  /** Applies a new spec and resets holds and backoff: the service may start immediately. */
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

  /** Adopts a process that an earlier supervisor started. */
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
      const message = `cannot start: ${describeError(error)}`;
      if (message !== this.#failure?.message) report(`${spec.name}: ${message}`);
      this.#failure = { state: "Failed", message };
      const retry = planRetry({ spec, failures: this.#failures, readyForMs: 0 });
      this.#failures = retry.failures;
      this.#retryAtMs = clock.monotonicMs() + retry.delayMs;
    }
  }

  /** Requests a new process: it replaces the current one, or starts immediately if there is none. */
  restart(): void {
    this.isHeld = false;
    this.#retryAtMs = 0;
    this.#failures = 0;
    if (this.#run === undefined) return;
    this.#run.isRestartAsked = true;
    // From now on the current process must not be mistaken for the requested one.
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

  /** Kills the process without waiting for its exit. */
  abandon(): void {
    if (this.#run !== undefined) this.#signal(this.#run, "SIGKILL");
  }

  /** The exit of a process that is not a child is not reported. */
  noticeEnd(): void {
    const run = this.#run;
    if (run?.isAdopted === true && !isRunning(run.process)) this.#end(run.process, { code: null, signal: null });
  }

  /** Recomputes the state and returns whether it changed. */
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
    this.#failure = undefined;
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
    // The PID of a process that is not a child may be reused once it has exited.
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
      this.#failure = { state: "Backoff", message: describeEnd(run, exit, retry.failures) };
      report(`${run.spec.name}: ${describeExit(exit)}, restarting in ${retry.delayMs} ms`);
    } else {
      this.#failures = 0;
    }
    wake();
    try {
      // Processes that the service left behind would conflict with the next one.
      signalGroup(ended.pid, "SIGKILL");
    } catch (error) {
      report(`${run.spec.name}: cannot kill leftover processes: ${describeError(error)}`);
    }
  }

  #describe({ isWanted, waitsFor }: ServiceOutlook): [state: ServiceState, message: string] {
    if (this.#run !== undefined) return describeRun(this.#run, waitsFor);
    if (!isWanted) return ["Stopped", ""];
    const failure = this.#failure;
    if (failure !== undefined && waitsFor.length === 0) return [failure.state, failure.message];
    const waiting = waitsFor.length === 0 ? [] : [`waiting for ${waitsFor.join(", ")}`];
    return ["Waiting", [...waiting, ...(failure === undefined ? [] : [failure.message])].join("; ")];
  }
}

/** A process that is about to be replaced waits only for its dependents to stop. */
function describeRun(run: Run, waitsFor: readonly string[]): [state: ServiceState, message: string] {
  if (run.stop !== undefined) return ["Stopping", run.stop.isForced ? "did not exit in time and was killed" : ""];
  if (waitsFor.length > 0) return ["Stopping", `waiting for ${waitsFor.join(", ")} to stop`];
  if (run.isRestartAsked) return ["Stopping", ""];
  return run.isReady ? ["Ready", ""] : ["Starting", run.notReadyBecause];
}

/** How a process exited, for the end of a sentence. */
export function describeExit({ code, signal }: ProcessExit): string {
  if (signal !== null) return `terminated by signal ${signal}`;
  return code === null ? "exited" : `exited with code ${code}`;
}

function describeEnd({ spec, logStart }: Run, exit: ProcessExit, failures: number): string {
  const times = failures === 1 ? "" : ` (${failures} times in a row)`;
  const log = lastLines(logSince(spec.logFile, logStart), shownLines);
  return `${describeExit(exit)}${times}; ${log === "" ? "no log output" : `last log lines:\n${log}`}`;
}
