import { backoffDelayMs } from "@butler/std";
import { restartBackoff, runsTheSame, type ServiceSpec } from "./service-spec.ts";

/** A process of a service, as far as decisions need it. */
export interface ObservedRun {
  /** What it was started from, which is not what is wanted now when that changed in between. */
  readonly spec: ServiceSpec;
  readonly isReady: boolean;
  /** Somebody wants a new process in its place. */
  readonly isRestartAsked: boolean;
  /** Set once it was asked to end. */
  readonly stop: { readonly askedAtMs: number; readonly isForced: boolean } | undefined;
}

/** A service as it is found. */
export interface ObservedService {
  readonly run: ObservedRun | undefined;
  /** Not to be started before this time. */
  readonly retryAtMs: number;
  /** Asked to stay down although it is among the services. */
  readonly isHeld: boolean;
}

/** Everything a plan is made from. A service that runs but has no spec any more is to go. */
export interface Observation {
  readonly specs: readonly ServiceSpec[];
  readonly services: ReadonlyMap<string, ObservedService>;
  /** Whether everything is to end. */
  readonly isEnding: boolean;
  readonly nowMs: number;
}

/** One thing to do to one service's process. */
export type SupervisorAction =
  | { readonly type: "start"; readonly service: string }
  | { readonly type: "stop"; readonly service: string; readonly signal: NodeJS.Signals }
  | { readonly type: "kill"; readonly service: string };

/** What to do now, and what has to happen before more can be done. */
export interface SupervisorPlan {
  readonly actions: readonly SupervisorAction[];
  /** By service: the services that keep it from starting because they are not ready, or from stopping because they run. */
  readonly waitsFor: ReadonlyMap<string, readonly string[]>;
  /** When to plan again even if nothing happens. */
  readonly wakeAtMs: number | undefined;
}

const defaultGraceMs = 10_000;

/** Decides which services to start, in order of their dependencies, and which to stop, in the reverse order. */
export function planSupervision(observation: Observation): SupervisorPlan {
  const { services, nowMs } = observation;
  const leaving = runsToEnd(observation);
  const actions: SupervisorAction[] = [];
  const waitsFor = new Map<string, readonly string[]>();
  const wakeTimes: number[] = [];

  for (const { name, retryAtMs, dependsOn } of servicesToStart(observation)) {
    const missing = dependsOn.filter((other) => leaving.has(other) || services.get(other)?.run?.isReady !== true);
    if (missing.length > 0) waitsFor.set(name, missing);
    else if (retryAtMs > nowMs) wakeTimes.push(retryAtMs);
    else actions.push({ type: "start", service: name });
  }

  const dependents = new Map([...leaving.keys()].map((name) => [name, leavingDependents(name, leaving)]));
  // Specs of different ages can depend on each other in a circle, which would otherwise never be untied.
  const isKnotted = leaving.size > 0 && [...dependents.values()].every((others) => others.length > 0);
  for (const [name, { spec, stop }] of leaving) {
    const others = dependents.get(name) ?? [];
    if (stop === undefined && others.length > 0 && !isKnotted) waitsFor.set(name, others);
    else if (stop === undefined) actions.push({ type: "stop", service: name, signal: spec.stopSignal ?? "SIGTERM" });
    else if (!stop.isForced) {
      const killAtMs = stop.askedAtMs + (spec.stopGraceMs ?? defaultGraceMs);
      if (killAtMs > nowMs) wakeTimes.push(killAtMs);
      else actions.push({ type: "kill", service: name });
    }
  }
  return { actions, waitsFor, wakeAtMs: wakeTimes.length === 0 ? undefined : Math.min(...wakeTimes) };
}

/** What is known of a process that ended without having been asked to. */
export interface UnwantedEnd {
  readonly spec: ServiceSpec;
  /** Ends in a row before this one. */
  readonly failures: number;
  readonly readyForMs: number;
}

/** How many ends in a row there are now, and how long to wait before the next start. */
export function planRetry({ spec, failures, readyForMs }: UnwantedEnd): { failures: number; delayMs: number } {
  const backoff = restartBackoff(spec);
  const inARow = readyForMs >= backoff.resetAfterMs ? 1 : failures + 1;
  return { failures: inARow, delayMs: backoffDelayMs(backoff, inARow) };
}

function servicesToStart({ specs, services, isEnding }: Observation) {
  return specs.flatMap(({ name, dependsOn }) => {
    const service = services.get(name);
    if (isEnding || service?.isHeld === true || service?.run !== undefined) return [];
    return [{ name, dependsOn, retryAtMs: service?.retryAtMs ?? 0 }];
  });
}

function runsToEnd({ specs, services, isEnding }: Observation): ReadonlyMap<string, ObservedRun> {
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

function leavingDependents(name: string, leaving: ReadonlyMap<string, ObservedRun>): string[] {
  return [...leaving].filter(([, { spec }]) => spec.dependsOn.includes(name)).map(([dependent]) => dependent);
}
