import { backoffDelayMs } from "@butler/std";
import { restartBackoff, runsTheSame, type ServiceSpec } from "./service-spec.ts";

/** A service's process, as far as decisions need it. */
export interface ObservedRun {
  /** The spec it was started from, which may differ from the current one. */
  readonly spec: ServiceSpec;
  readonly isReady: boolean;
  /** A restart was requested. */
  readonly isRestartAsked: boolean;
  /** Set once it was requested to stop. */
  readonly stop: { readonly askedAtMs: number; readonly isForced: boolean } | undefined;
}

/** The current state of a service. */
export interface ObservedService {
  readonly run: ObservedRun | undefined;
  /** Earliest time of the next start. */
  readonly retryAtMs: number;
  /** Requested to stay down although it is configured. */
  readonly isHeld: boolean;
}

/** The input of a plan. A running service without a spec is to be stopped. */
export interface Observation {
  readonly specs: readonly ServiceSpec[];
  readonly services: ReadonlyMap<string, ObservedService>;
  /** Whether everything is to stop. */
  readonly isEnding: boolean;
  readonly nowMs: number;
}

/** One action on one service's process. */
export type SupervisorAction =
  | { readonly type: "start"; readonly service: string }
  | { readonly type: "stop"; readonly service: string; readonly signal: NodeJS.Signals }
  | { readonly type: "kill"; readonly service: string };

/** The actions to take now, and what further actions wait for. */
export interface SupervisorPlan {
  readonly actions: readonly SupervisorAction[];
  /** By service: the services that block its start because they are not ready, or its stop because they are running. */
  readonly waitsFor: ReadonlyMap<string, readonly string[]>;
  /** When to plan again even without an event. */
  readonly wakeAtMs: number | undefined;
}

/** The result for one service: an action, services to wait for, a time to wait for, or nothing. */
type Decision = SupervisorAction | { readonly waitsFor: readonly string[] } | { readonly untilMs: number } | undefined;

const defaultGraceMs = 10_000;

/** Decides which services to start, in dependency order, and which to stop, in reverse order. */
export function planSupervision(observation: Observation): SupervisorPlan {
  const actions: SupervisorAction[] = [];
  const waitsFor = new Map<string, readonly string[]>();
  let wakeAtMs: number | undefined;
  const leaving = runsToEnd(observation);
  for (const [name, decision] of [...decideStarts(observation, leaving), ...decideStops(observation, leaving)]) {
    if (decision === undefined) continue;
    if ("type" in decision) actions.push(decision);
    else if ("waitsFor" in decision) waitsFor.set(name, decision.waitsFor);
    else wakeAtMs = Math.min(decision.untilMs, wakeAtMs ?? Infinity);
  }
  return { actions, waitsFor, wakeAtMs };
}

/** The history of a process that exited without a stop request. */
export interface UnwantedEnd {
  readonly spec: ServiceSpec;
  /** Consecutive exits before this one. */
  readonly failures: number;
  readonly readyForMs: number;
}

/** The number of consecutive exits, and the delay before the next start. */
export function planRetry({ spec, failures, readyForMs }: UnwantedEnd): { failures: number; delayMs: number } {
  const backoff = restartBackoff(spec);
  const inARow = readyForMs >= backoff.resetAfterMs ? 1 : failures + 1;
  return { failures: inARow, delayMs: backoffDelayMs(backoff, inARow) };
}

type Decisions = readonly (readonly [service: string, decision: Decision])[];
type Leaving = ReadonlyMap<string, ObservedRun>;

function decideStarts({ specs, services, isEnding, nowMs }: Observation, leaving: Leaving): Decisions {
  const absent = specs.filter(({ name }) => services.get(name)?.run === undefined);
  const wanted = absent.filter(({ name }) => !isEnding && services.get(name)?.isHeld !== true);
  return wanted.map(({ name, dependsOn }) => {
    const unready = dependsOn.filter((other) => leaving.has(other) || services.get(other)?.run?.isReady !== true);
    if (unready.length > 0) return [name, { waitsFor: unready }];
    const retryAtMs = services.get(name)?.retryAtMs ?? 0;
    return [name, retryAtMs > nowMs ? { untilMs: retryAtMs } : { type: "start", service: name }];
  });
}

function decideStops({ nowMs }: Observation, leaving: Leaving): Decisions {
  const all = [...leaving].map(([name, run]) => ({ name, run, dependents: dependentsOf(name, leaving) }));
  // Specs of different versions can form a dependency cycle, which would otherwise never be resolved.
  const isKnotted = all.every(({ dependents }) => dependents.length > 0);
  return all.map(({ name, run: { spec, stop }, dependents }) => {
    if (stop === undefined) {
      const isFree = dependents.length === 0 || isKnotted;
      const { stopSignal: signal = "SIGTERM" } = spec;
      return [name, isFree ? { type: "stop", service: name, signal } : { waitsFor: dependents }];
    }
    if (stop.isForced) return [name, undefined];
    const killAtMs = stop.askedAtMs + (spec.stopGraceMs ?? defaultGraceMs);
    return [name, killAtMs > nowMs ? { untilMs: killAtMs } : { type: "kill", service: name }];
  });
}

function runsToEnd({ specs, services, isEnding }: Observation): Leaving {
  const wanted = new Map(specs.map((spec) => [spec.name, spec]));
  const leaving = new Map<string, ObservedRun>();
  for (const [name, { run, isHeld }] of services) {
    if (run === undefined) continue;
    const spec = wanted.get(name);
    const isWanted = spec !== undefined && !isEnding && !isHeld && !run.isRestartAsked && runsTheSame(run.spec, spec);
    if (!isWanted || run.stop !== undefined) leaving.set(name, run);
  }
  return leaving;
}

function dependentsOf(name: string, leaving: Leaving): string[] {
  return [...leaving].filter(([, { spec }]) => spec.dependsOn.includes(name)).map(([dependent]) => dependent);
}
