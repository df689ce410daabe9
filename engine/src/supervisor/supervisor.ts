import { type Clock, Conflict, describeError, NotFound, systemClock, type Timer, Unavailable } from "@butler/std";
import { existsSync, readFileSync } from "node:fs";
import { replaceFile } from "../replace-file.ts";
import { Chores } from "./chores.ts";
import { rotateLog } from "./log-file.ts";
import { planSupervision, type SupervisorAction } from "./plan.ts";
import { type BootIdentity, findMarkedProcesses, identifyInBoot, markOf } from "./service-process.ts";
import type { ServiceSpec } from "./service-spec.ts";
import { parseStoredServices, type StoredService, type SupervisorStatus } from "./service-status.ts";
import { readServices, type StatePaths } from "./state-directory.ts";
import { type ServiceContext, SupervisedService } from "./supervised-service.ts";
import { findStrays, findSurvivors } from "./survivors.ts";

/** Options of a supervisor. */
export interface SupervisorOptions {
  readonly paths: StatePaths;
  /** Receives log lines. */
  readonly report: (message: string) => void;
  /** Called on a stop request, before anything is stopped. */
  readonly onEnding?: (() => void) | undefined;
  readonly clock?: Clock | undefined;
}

const adoptedPollMs = 250;
const rotationMs = 1_000;
const defaultLogBytes = 10 * 1024 * 1024;
const defaultLogFiles = 3;

/** Runs the services of the state directory, and adopts those of an earlier supervisor. */
export class Supervisor {
  readonly #paths: StatePaths;
  readonly #report: (message: string) => void;
  readonly #onEnding: () => void;
  readonly #clock: Clock;
  readonly #context: ServiceContext;
  readonly #daemon: BootIdentity;
  readonly #services = new Map<string, SupervisedService>();
  readonly #chores: Chores;
  readonly #problems = new Map<string, string>();
  readonly #ended = Promise.withResolvers<void>();
  #specs: readonly ServiceSpec[] = [];
  #isEnding = false;
  #isUnsaved = true;
  #rotateAtMs = 0;
  #timer: Timer | undefined;

  constructor({ paths, report, onEnding = () => undefined, clock = systemClock }: SupervisorOptions) {
    const daemon = identifyInBoot(process.pid);
    if (daemon === undefined)
      throw new Unavailable("cannot read this process's entry in /proc, which the supervisor requires");
    this.#daemon = daemon;
    this.#paths = paths;
    this.#report = report;
    this.#onEnding = onEnding;
    this.#clock = clock;
    this.#context = {
      clock,
      report,
      markOf: (spec) => markOf(paths.directory, spec),
      wake: () => this.#tickAfter(0),
    };
    this.#chores = new Chores(this.#context);
  }

  /** Resolves when everything was stopped on request. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  get status(): SupervisorStatus {
    return {
      daemon: this.#daemon,
      isEnding: this.#isEnding,
      problems: [...this.#problems.values(), ...this.#chores.problems],
      services: [...this.#services.values()].map((service) => service.status),
    };
  }

  /** Detects running services and starts to work; only one supervisor may work on a directory. */
  begin(): void {
    const stored = this.#readStored();
    try {
      this.#define(readServices(this.#paths), stored);
    } catch (error) {
      this.#noteProblem("services", `${describeError(error)}; the services from the last run are kept`);
      const kept = stored.map(({ spec }) => spec);
      this.#define(kept, stored);
    }
    this.#tickAfter(0);
  }

  /**
   * Reloads the configuration; stopped services and those in backoff are started. Throws and changes nothing when it
   * cannot be read.
   */
  reload(): void {
    if (this.#isEnding) throw new Conflict("the supervisor is shutting down");
    const specs = readServices(this.#paths);
    this.#problems.delete("services");
    this.#define(specs, []);
    this.#tickAfter(0);
  }

  /** Stops the named services, or everything including this supervisor. */
  stop(names?: readonly string[]): void {
    if (names === undefined) this.#end();
    else for (const service of names.map((name) => this.#get(name))) service.isHeld = true;
    this.#tickAfter(0);
  }

  restart(name: string): void {
    if (this.#isEnding) throw new Conflict("the supervisor is shutting down");
    this.#get(name).restart();
    this.#tickAfter(0);
  }

  /** Kills everything at once and writes nothing more, for a removed directory. */
  abandon(): void {
    this.#timer?.cancel();
    this.#chores.end();
    for (const service of this.#services.values()) service.abandon();
  }

  #end(): void {
    if (!this.#isEnding) this.#onEnding();
    this.#isEnding = true;
    this.#chores.end();
  }

  #get(name: string): SupervisedService {
    const service = this.#services.get(name);
    if (service !== undefined) return service;
    throw new NotFound(`service ${name} not found; available: ${[...this.#services.keys()].join(", ")}`);
  }

  #define(specs: readonly ServiceSpec[], stored: readonly StoredService[]): void {
    const known = new Set(this.#services.keys());
    this.#specs = specs.filter(({ everyMs }) => everyMs === undefined);
    this.#chores.define(specs.filter(({ everyMs }) => everyMs !== undefined));
    this.#isUnsaved = true;
    for (const spec of this.#specs) this.#ensure(spec).define(spec);
    this.#adopt(stored, known);
  }

  #ensure(spec: ServiceSpec): SupervisedService {
    const service = this.#services.get(spec.name) ?? new SupervisedService(spec, this.#context);
    this.#services.set(spec.name, service);
    return service;
  }

  #readStored(): StoredService[] {
    const { status } = this.#paths;
    if (!existsSync(status)) return [];
    const onProblem = (message: string): void => this.#noteProblem("stored", `cannot use ${status}: ${message}`);
    try {
      return parseStoredServices(readFileSync(status, "utf8"), onProblem);
    } catch (error) {
      onProblem(describeError(error));
      return [];
    }
  }

  /** Adopts running processes of services that were not known before. */
  #adopt(stored: readonly StoredService[], known: ReadonlySet<string>): void {
    const marked = findMarkedProcesses(this.#paths.directory).filter(({ service }) => !known.has(service));
    for (const stray of findStrays(marked)) killStray(stray);
    for (const survivor of findSurvivors({ specs: this.#specs, stored, marked })) {
      const { spec, process, isOutdated } = survivor;
      const { name } = spec;
      // Whether it is still wanted is unknown, and it has to be registered before anything is stopped.
      const isDoubtful = !this.#services.has(name) && this.#problems.has("services");
      this.#report(`${name}: process ${process.pid} ${isDoubtful ? "ignored" : "adopted"}`);
      if (isDoubtful) continue;
      const service = this.#ensure(spec);
      service.adopt(process, survivor);
      if (isOutdated) service.restart();
    }
  }

  #tickAfter(delayMs: number): void {
    this.#timer?.cancel();
    this.#timer = this.#clock.after(delayMs, () => {
      try {
        this.#tick();
      } catch (error) {
        // Whatever the error is, running services must still be watched.
        this.#report(describeError(error));
        this.#tickAfter(1_000);
      }
    });
  }

  #tick(): void {
    for (const service of this.#services.values()) service.noticeEnd();
    const nowMs = this.#clock.monotonicMs();
    const isEnding = this.#isEnding;
    const plan = planSupervision({ specs: this.#specs, services: this.#services, isEnding, nowMs });
    for (const action of plan.actions) this.#perform(action);
    this.#refresh(plan.waitsFor);
    const choreAtMs = isEnding ? Infinity : this.#chores.runDue(nowMs);
    if (nowMs >= this.#rotateAtMs) this.#rotateLogs(nowMs);
    if (this.#isUnsaved) this.#save();
    const services = [...this.#services.values()];
    if (isEnding && services.every(({ run }) => run === undefined)) {
      this.#ended.resolve();
      return;
    }
    const wakeAtMs = Math.min(this.#rotateAtMs, choreAtMs, plan.wakeAtMs ?? Infinity);
    const pollMs = services.some(({ isAdopted }) => isAdopted) ? adoptedPollMs : Infinity;
    // The last action may have set a time that the plan did not know.
    this.#tickAfter(plan.actions.length > 0 ? 0 : Math.min(pollMs, wakeAtMs - nowMs));
  }

  #perform(action: SupervisorAction): void {
    const service = this.#get(action.service);
    this.#isUnsaved = true;
    try {
      if (action.type === "start") service.start();
      else if (action.type === "stop") service.askToEnd(action.signal);
      else service.kill();
    } catch (error) {
      this.#report(`${action.service}: ${action.type} failed: ${describeError(error)}`);
    }
  }

  #refresh(waitsFor: ReadonlyMap<string, readonly string[]>): void {
    const wanted = new Set(this.#isEnding ? [] : this.#specs.map(({ name }) => name));
    const defined = new Set(this.#specs.map(({ name }) => name));
    for (const [name, service] of this.#services) {
      const isWanted = wanted.has(name) && !service.isHeld;
      if (service.refresh({ isWanted, waitsFor: waitsFor.get(name) ?? [] })) this.#isUnsaved = true;
      if (service.run === undefined && !defined.has(name)) this.#services.delete(name);
    }
  }

  #rotateLogs(nowMs: number): void {
    this.#rotateAtMs = nowMs + rotationMs;
    const specs = [...[...this.#services.values()].map(({ spec }) => spec), ...this.#chores.specs];
    const logs = specs.map((spec) => ({
      file: spec.logFile,
      maxBytes: spec.logMaxBytes ?? defaultLogBytes,
      files: spec.logFiles ?? defaultLogFiles,
    }));
    const own = { file: this.#paths.log, maxBytes: defaultLogBytes, files: defaultLogFiles };
    for (const { file, ...limit } of [...logs, own]) {
      try {
        rotateLog(file, limit);
      } catch (error) {
        this.#report(`${file} was truncated because it could not be rotated: ${describeError(error)}`);
      }
    }
  }

  #save(): void {
    const services = [...this.#services.values()].map(({ stored }) => stored);
    try {
      replaceFile(this.#paths.status, `${JSON.stringify({ ...this.status, services }, null, 2)}\n`);
      this.#isUnsaved = false;
      this.#problems.delete("status");
    } catch (error) {
      this.#noteProblem("status", `cannot write ${this.#paths.status}: ${describeError(error)}`);
    }
  }

  #noteProblem(about: string, message: string): void {
    if (this.#problems.get(about) === message) return;
    this.#problems.set(about, message);
    this.#report(message);
  }
}

function killStray({ pid }: BootIdentity): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
