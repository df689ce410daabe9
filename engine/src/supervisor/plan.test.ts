import { deepFreeze } from "@butler/std";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Observation, type ObservedRun, type ObservedService, planRetry, planSupervision } from "./plan.ts";
import type { ServiceSpec } from "./service-spec.ts";
import { aServiceSpec } from "./testing/service-spec-builder.ts";

const etcd = aServiceSpec("etcd");
const apiserver = aServiceSpec("apiserver", { dependsOn: ["etcd"] });
const scheduler = aServiceSpec("scheduler", { dependsOn: ["apiserver"], stopSignal: "SIGINT", stopGraceMs: 2_000 });
const specs = [scheduler, apiserver, etcd];

const run = (spec: ServiceSpec, overrides: Partial<ObservedRun> = {}): ObservedService => ({
  run: { spec, isReady: true, isRestartAsked: false, stop: undefined, ...overrides },
  retryAtMs: 0,
  isHeld: false,
});
const absent = (overrides: Partial<ObservedService> = {}): ObservedService => ({
  run: undefined,
  retryAtMs: 0,
  isHeld: false,
  ...overrides,
});
const planOf = (services: Record<string, ObservedService>, overrides: Partial<Observation> = {}) => {
  const plan = planSupervision({
    specs,
    services: new Map(Object.entries(services)),
    isEnding: false,
    nowMs: 1_000,
    ...overrides,
  });
  return { ...plan, waitsFor: Object.fromEntries(plan.waitsFor) };
};
const all = { etcd: run(etcd), apiserver: run(apiserver), scheduler: run(scheduler) };
const starting = { isReady: false };

describe("planSupervision", () => {
  it.each<[string, Record<string, ObservedService>, string[], Record<string, string[]>]>([
    ["nothing", {}, ["etcd"], { apiserver: ["etcd"], scheduler: ["apiserver"] }],
    ["an unready dependency", { etcd: run(etcd, starting) }, [], { apiserver: ["etcd"], scheduler: ["apiserver"] }],
    ["a ready dependency", { etcd: run(etcd) }, ["apiserver"], { scheduler: ["apiserver"] }],
    ["all ready", all, [], {}],
    ["a dead dependency of one that runs", { ...all, etcd: absent() }, ["etcd"], {}],
    ["a held dependency", { etcd: absent({ isHeld: true }) }, [], { apiserver: ["etcd"], scheduler: ["apiserver"] }],
    [
      "a dependency about to be replaced",
      { etcd: run(etcd, { isRestartAsked: true }) },
      [],
      {
        apiserver: ["etcd"],
        scheduler: ["apiserver"],
      },
    ],
  ])("starts what has no unmet dependencies: %s", (_case, services, started, waitsFor) => {
    const plan = planOf(services);
    expect(plan.actions.filter(({ type }) => type === "start").map(({ service }) => service)).toEqual(started);
    expect(plan.waitsFor).toEqual(waitsFor);
  });

  it("waits until the time of the next attempt", () => {
    const services = { ...all, etcd: absent({ retryAtMs: 1_500 }) };
    expect(planOf(services)).toEqual({ actions: [], waitsFor: {}, wakeAtMs: 1_500 });
    expect(planOf(services, { nowMs: 1_500 }).actions).toEqual([{ type: "start", service: "etcd" }]);
  });

  it("stops in reverse order, with each service's signal", () => {
    expect(planOf(all, { isEnding: true })).toEqual({
      actions: [{ type: "stop", service: "scheduler", signal: "SIGINT" }],
      waitsFor: { etcd: ["apiserver"], apiserver: ["scheduler"] },
      wakeAtMs: undefined,
    });
    const { scheduler: _gone, ...rest } = all;
    expect(planOf(rest, { isEnding: true }).actions).toEqual([
      { type: "stop", service: "apiserver", signal: "SIGTERM" },
    ]);
  });

  it("kills a service once if it exceeds its grace period", () => {
    const services = { ...all, scheduler: run(scheduler, { stop: { askedAtMs: 500, isForced: false } }) };
    expect(planOf(services)).toMatchObject({ actions: [], wakeAtMs: 2_500 });
    expect(planOf(services, { nowMs: 2_500 }).actions).toEqual([{ type: "kill", service: "scheduler" }]);
    const killed = { ...all, scheduler: run(scheduler, { stop: { askedAtMs: 500, isForced: true } }) };
    expect(planOf(killed, { nowMs: 9_999 })).toEqual({ actions: [], waitsFor: {}, wakeAtMs: undefined });
  });

  it.each<[string, Partial<Observation>, Record<string, ObservedService>, string[]]>([
    ["is held", {}, { ...all, etcd: { ...run(etcd), isHeld: true } }, ["etcd"]],
    ["is to be restarted", {}, { ...all, etcd: run(etcd, { isRestartAsked: true }) }, ["etcd"]],
    ["no longer has a spec", { specs: [etcd, apiserver] }, all, ["scheduler"]],
    ["runs an older spec", { specs: [{ ...etcd, args: ["--new"] }, apiserver, scheduler] }, all, ["etcd"]],
    ["is only probed differently now", { specs: [{ ...etcd, stopGraceMs: 1 }, apiserver, scheduler] }, all, []],
  ])("decides whether to stop a service that %s", (_case, overrides, services, stopped) => {
    expect(planOf(services, overrides).actions.map(({ type, service }) => `${type} ${service}`)).toEqual(
      stopped.map((name) => `stop ${name}`),
    );
  });

  it("resolves a dependency cycle between old and new specs", () => {
    const older = { ...etcd, dependsOn: ["apiserver"] };
    const plan = planOf({ etcd: run(older), apiserver: run(apiserver) }, { isEnding: true });
    expect(plan.actions.map(({ service }) => service)).toEqual(["etcd", "apiserver"]);
  });
});

describe("planRetry", () => {
  it("doubles from 0.2 to 30 s and resets after 30 s of readiness", () => {
    const delays = Array.from({ length: 10 }, (_, failures) => planRetry({ spec: etcd, failures, readyForMs: 0 }));
    expect(delays.map(({ delayMs }) => delayMs)).toEqual([
      200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000,
    ]);
    expect(planRetry({ spec: etcd, failures: 9, readyForMs: 29_999 })).toEqual({ failures: 10, delayMs: 30_000 });
    expect(planRetry({ spec: etcd, failures: 9, readyForMs: 30_000 })).toEqual({ failures: 1, delayMs: 200 });
  });

  it("stays within the bounds for any history", () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat({ max: 60_000 }), (failures, readyForMs) => {
        const { delayMs } = planRetry({ spec: etcd, failures, readyForMs });
        expect(delayMs).toBeGreaterThanOrEqual(200);
        expect(delayMs).toBeLessThanOrEqual(30_000);
      }),
    );
  });
});

/** Each service depends on some of those before it, so that there is never a circle. */
const someSpecs = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 3 })), { minLength: 1, maxLength: 7 }).map((shapes) =>
  shapes.map(([links, grace], at) =>
    aServiceSpec(`s${at}`, {
      dependsOn: Array.from({ length: at }, (_, other) => `s${other}`).filter((_, other) => (links >> other) & 1),
      stopGraceMs: grace * 1_000,
    }),
  ),
);

type Mutable = { -readonly [K in keyof ObservedService]: ObservedService[K] };
type Services = Map<string, Mutable>;
const events = ["ready", "unready", "die", "hold", "release", "restart", "time", "redefine"] as const;
const someEvents = fc.array(fc.tuple(fc.constantFrom(...events), fc.nat(6)), { maxLength: 40 });

/** Applies one plan to a simulated system and checks the invariants of every action. */
function step(services: Services, observation: Observation): void {
  const plan = planSupervision(deepFreeze(observation));
  expect(plan).toEqual(planSupervision(observation));
  for (const action of plan.actions) {
    if (action.type === "start") {
      services.set(action.service, startedIn(action.service, observation));
      continue;
    }
    const service = services.get(action.service);
    if (service?.run === undefined) throw new Error(`${action.service} cannot ${action.type}: it does not run`);
    expect(service.run.stop?.isForced ?? false).toBe(false);
    service.run = { ...service.run, stop: { askedAtMs: observation.nowMs, isForced: action.type === "kill" } };
  }
}

function startedIn(name: string, { specs: wanted, services, isEnding, nowMs }: Observation): Mutable {
  const spec = wanted.find((other) => other.name === name);
  if (spec === undefined) throw new Error(`${name} is not wanted`);
  const before = services.get(name) ?? absent();
  expect({ isEnding, ...before }).toMatchObject({ isEnding: false, isHeld: false, run: undefined });
  expect(before.retryAtMs).toBeLessThanOrEqual(nowMs);
  for (const other of spec.dependsOn)
    expect(services.get(other)?.run).toMatchObject({ isReady: true, stop: undefined });
  return run(spec, starting);
}

function happen(service: Mutable, event: (typeof events)[number], nowMs: number): void {
  if (event === "hold" || event === "release") service.isHeld = event === "hold";
  if (service.run === undefined) return;
  if (event === "ready" || event === "unready") service.run = { ...service.run, isReady: event === "ready" };
  if (event === "restart") service.run = { ...service.run, isRestartAsked: true };
  if (event === "die") Object.assign(service, absent({ isHeld: service.isHeld, retryAtMs: nowMs + 200 }));
}

describe("supervision", () => {
  it("never starts a service early or twice, and always stops everything", () => {
    fc.assert(
      fc.property(someSpecs, someEvents, (initial, happenings) => {
        const services: Services = new Map();
        let wanted = initial;
        let nowMs = 0;
        const observe = (isEnding: boolean): Observation => ({
          specs: wanted,
          services: new Map([...services].map(([name, service]) => [name, { ...service }])),
          isEnding,
          nowMs,
        });
        for (const [event, which] of happenings) {
          step(services, observe(false));
          if (event === "time") nowMs += 700;
          const redefined = event === "redefine" ? `s${which}` : undefined;
          wanted = wanted.map((spec) => (spec.name === redefined ? { ...spec, args: [`${nowMs}`] } : spec));
          const service = services.get(`s${which}`);
          if (service !== undefined) happen(service, event, nowMs);
        }
        // From here on everything is stubborn and ends only when it is killed.
        for (let rounds = 0; [...services.values()].some((service) => service.run !== undefined); rounds += 1) {
          expect(rounds).toBeLessThan(100);
          step(services, observe(true));
          for (const service of services.values()) if (service.run?.stop?.isForced === true) service.run = undefined;
          nowMs += 1_000;
        }
      }),
    );
  });
});
