import type { DynamicObject, KubeObject, ObjectKey } from "@butler/resource";
import { type Clock, Conflict, InvalidInput, NotFound, sleep, type Timer, Unavailable } from "@butler/std";
import { MetricsRegistry } from "@butler/telemetry";
import { FakeClock } from "@butler/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AlreadyExists } from "../client/api-errors.ts";
import { LeaderElection, LeadershipLost } from "./leader-election.ts";
import type { LeaseClient } from "./lease-contender.ts";
import { readLeaseRecord } from "./lease-decision.ts";

/** Network delays of a request and of its response. */
const weathers = {
  fine: { thereMs: 0, backMs: 0 },
  refused: undefined,
  swallowed: { thereMs: Number.POSITIVE_INFINITY, backMs: 0 },
  answerLost: { thereMs: 0, backMs: Number.POSITIVE_INFINITY },
  answerSlow: { thereMs: 0, backMs: 4_500 },
  slow: { thereMs: 3_000, backMs: 0 },
  late: { thereMs: 12_000, backMs: 0 },
} as const;
type Weather = keyof typeof weathers;

/** A clock that processes the consequences of each timer before the next one. */
class SteppedClock extends FakeClock {
  readonly #dueMs = new Set<number>();

  override after(delayMs: number, run: () => void): Timer {
    this.#dueMs.add(this.monotonicMs() + Math.max(0, delayMs));
    return super.after(delayMs, run);
  }

  settle(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
  }

  async pass(byMs: number): Promise<void> {
    const endMs = this.monotonicMs() + byMs;
    await this.settle();
    for (;;) {
      const nextMs = Math.min(endMs, ...this.#dueMs);
      this.#dueMs.delete(nextMs);
      this.advance(Math.max(0, nextMs - this.monotonicMs()));
      await this.settle();
      if (nextMs === endMs && ![...this.#dueMs].some((dueMs) => dueMs <= endMs)) return;
    }
  }
}

/** The same time as seen by a process whose clock is set differently. */
function skewed(clock: Clock, skewMs: number): Clock {
  return {
    now: () => new Date(clock.now().getTime() + skewMs),
    monotonicMs: () => clock.monotonicMs() + Math.abs(skewMs),
    after: (delayMs, run) => clock.after(delayMs, run),
  };
}

/** One Lease with the API server's rules, and for each candidate a line to it that can be disturbed. */
class LeaseModel {
  readonly clock = new SteppedClock(new Date(0));
  lease: DynamicObject | undefined;
  #version = 0;

  client(weather: () => Weather): LeaseClient {
    const call = <T>(work: () => T): Promise<T> => this.#send(weather(), work);
    const client = {
      find: (_kind: unknown, _key: ObjectKey) => call(() => this.lease),
      create: (_kind: unknown, lease: KubeObject) =>
        call(() => {
          if (this.lease !== undefined) throw new AlreadyExists("exists");
          return this.#store(lease);
        }),
      replace: (_kind: unknown, lease: KubeObject) =>
        call(() => {
          if (this.lease === undefined) throw new NotFound("gone");
          if (lease.metadata.resourceVersion !== this.lease.metadata.resourceVersion) throw new Conflict("changed");
          return this.#store(lease);
        }),
    };
    return client as LeaseClient;
  }

  #store(lease: KubeObject): DynamicObject {
    this.lease = { ...lease, metadata: { ...lease.metadata, resourceVersion: String(++this.#version) } };
    return this.lease;
  }

  async #send<T>(weather: Weather, work: () => T): Promise<T> {
    const travel = weathers[weather];
    if (travel === undefined) throw new Unavailable("connection refused");
    await this.#travel(travel.thereMs);
    const [outcome] = await Promise.allSettled([(async () => work())()]);
    await this.#travel(travel.backMs);
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  }

  async #travel(forMs: number): Promise<void> {
    if (forMs === Number.POSITIVE_INFINITY) await new Promise(() => undefined);
    else if (forMs > 0) await sleep(this.clock, forMs);
  }
}

interface Term {
  readonly who: string;
  readonly fromMs: number;
  untilMs: number;
  reason?: unknown;
}

interface CandidateOptions {
  readonly identity: string;
  readonly weather?: () => Weather;
  readonly skewMs?: number;
  /** How long the leader takes to stop. */
  readonly stopMs?: number;
  readonly random?: () => number;
}

/** Runs a candidate and records the time it led. */
function candidate(model: LeaseModel, terms: Term[], options: CandidateOptions) {
  const { identity, weather = () => "fine", skewMs = 0, stopMs = 0, random = () => 0.5 } = options;
  const metrics = new MetricsRegistry();
  const election = new LeaderElection({
    client: model.client(weather),
    namespace: "default",
    name: "butler",
    identity,
    clock: skewed(model.clock, skewMs),
    random,
    metrics,
  });
  const stop = new AbortController();
  const ended = election.run(stop.signal, async (signal) => {
    const term: Term = { who: identity, fromMs: model.clock.monotonicMs(), untilMs: Number.POSITIVE_INFINITY };
    terms.push(term);
    await new Promise<void>((resolve) => {
      const onAbort = (): void => void model.clock.after(stopMs, resolve);
      if (signal.aborted) onAbort();
      else signal.addEventListener("abort", onAbort, { once: true });
    });
    term.reason = signal.reason;
    term.untilMs = model.clock.monotonicMs();
  });
  return { election, metrics, stop: () => stop.abort(), ended };
}

function overlaps(terms: readonly Term[]): Term[][] {
  return terms.flatMap((one, at) =>
    terms
      .slice(at + 1)
      .flatMap((other) => (one.fromMs < other.untilMs && other.fromMs < one.untilMs ? [[one, other]] : [])),
  );
}

const holderOf = (model: LeaseModel): string | undefined =>
  model.lease === undefined ? undefined : readLeaseRecord(model.lease).holderIdentity;

describe("LeaderElection", () => {
  it("elects one leader and hands over at once when it is stopped", async () => {
    const model = new LeaseModel();
    const terms: Term[] = [];
    const first = candidate(model, terms, { identity: "a", stopMs: 20_000 });
    await model.clock.settle();
    const second = candidate(model, terms, { identity: "b" });
    await model.clock.pass(60_000);
    expect(terms.map(({ who }) => who)).toEqual(["a"]);
    expect(await first.metrics.value("butler_leader", { name: "butler" })).toBe(1);
    expect(await second.metrics.value("butler_leader", { name: "butler" })).toBe(0);

    first.stop();
    await model.clock.pass(19_000);
    expect(holderOf(model), "the lease is renewed as long as the work goes on").toBe("a");
    await model.clock.pass(3_000);
    await first.ended;
    expect(terms).toMatchObject([{ who: "a", untilMs: 80_000 }, { who: "b" }]);
    expect(terms[1]?.fromMs).toBeLessThanOrEqual(82_000);
    expect(await first.metrics.value("butler_leader", { name: "butler" })).toBe(0);
    expect(readLeaseRecord(model.lease as DynamicObject).leaseTransitions).toBe(1);
    second.stop();
    await model.clock.pass(1_000);
    await second.ended;
    expect(holderOf(model)).toBe("");
    expect(model.clock.pending).toBe(0);
  });

  it("stops leading before another candidate may start when its requests hang", async () => {
    const model = new LeaseModel();
    const terms: Term[] = [];
    let weather: Weather = "fine";
    const first = candidate(model, terms, { identity: "a", weather: () => weather, stopMs: 4_900 });
    await model.clock.settle();
    const second = candidate(model, terms, { identity: "b", skewMs: -86_400_000 });
    await model.clock.pass(30_000);
    weather = "swallowed";
    await model.clock.pass(30_000);
    expect(terms[0]?.reason).toBeInstanceOf(LeadershipLost);
    expect(terms.map(({ who }) => who)).toEqual(["a", "b"]);
    expect(overlaps(terms)).toEqual([]);
    expect(first.election.isLeader).toBe(false);
    weather = "fine";
    second.stop();
    // The last request that hangs has five seconds, the next one comes up to two seconds later.
    await model.clock.pass(7_000);
    expect(terms.map(({ who }) => who)).toEqual(["a", "b", "a"]);
    first.stop();
    await model.clock.pass(6_000);
    await Promise.all([first.ended, second.ended]);
  });

  it("measures its lease from when it sent the renewal, not from the response", async () => {
    const model = new LeaseModel();
    const terms: Term[] = [];
    let weather: Weather = "fine";
    candidate(model, terms, { identity: "a", weather: () => weather, stopMs: 4_900 });
    await model.clock.settle();
    candidate(model, terms, { identity: "b" });
    await model.clock.pass(10_000);
    weather = "answerSlow";
    await model.clock.pass(2_000);
    weather = "swallowed";
    await model.clock.pass(40_000);
    expect(terms.map(({ who }) => who)).toEqual(["a", "b"]);
    expect(overlaps(terms)).toEqual([]);
  });

  it("steps down when its lease is deleted, and no candidate that knew it takes over early", async () => {
    const model = new LeaseModel();
    const terms: Term[] = [];
    candidate(model, terms, { identity: "a", stopMs: 4_000 });
    await model.clock.settle();
    candidate(model, terms, { identity: "b" });
    await model.clock.pass(10_100);
    model.lease = undefined;
    await model.clock.pass(60_000);
    expect(terms.map(({ who }) => who)).toEqual(["a", "a"]);
    expect(overlaps(terms)).toEqual([]);
  });

  it("tolerates a label that another client sets on the lease", async () => {
    const model = new LeaseModel();
    const terms: Term[] = [];
    candidate(model, terms, { identity: "a" });
    await model.clock.pass(5_000);
    const lease = model.lease as DynamicObject;
    model.lease = { ...lease, metadata: { ...lease.metadata, labels: { seen: "yes" }, resourceVersion: "999" } };
    await model.clock.pass(30_000);
    expect(terms).toMatchObject([{ who: "a", untilMs: Number.POSITIVE_INFINITY }]);
    expect(model.lease.metadata.labels).toEqual({ seen: "yes" });
  });

  it("releases the lease when it is stopped just as it wins", async () => {
    const model = new LeaseModel();
    const terms: Term[] = [];
    let weather: Weather = "fine";
    const only = candidate(model, terms, { identity: "a", weather: () => weather });
    weather = "answerLost";
    await model.clock.settle();
    expect(holderOf(model)).toBe("a");
    weather = "fine";
    only.stop();
    await only.ended;
    expect(holderOf(model)).toBe("");
    expect(terms).toEqual([]);
  });

  it("propagates the failure of a leader that ended on its own, and releases the lease", async () => {
    const model = new LeaseModel();
    const election = new LeaderElection({
      client: model.client(() => "fine"),
      namespace: "default",
      name: "butler",
      identity: "a",
      clock: model.clock,
    });
    const failure = new Error("no more disk");
    await expect(election.run(new AbortController().signal, () => Promise.reject(failure))).rejects.toBe(failure);
    expect(holderOf(model)).toBe("");
    await election.run(new AbortController().signal, () => Promise.resolve());
    expect(holderOf(model)).toBe("");
    expect(readLeaseRecord(model.lease as DynamicObject).leaseTransitions).toBe(1);
  });

  it("rejects invalid durations", () => {
    const options = { client: new LeaseModel().client(() => "fine"), namespace: "n", name: "x", identity: "a" };
    expect(() => new LeaderElection({ ...options, renewDeadlineMs: 15_000 })).toThrow(InvalidInput);
    expect(() => new LeaderElection({ ...options, retryPeriodMs: 10_000 })).toThrow(InvalidInput);
    expect(() => new LeaderElection({ ...options, identity: "" })).toThrow(InvalidInput);
  });

  it("never has two leaders, whatever the network and the clocks do, and always elects one eventually", async () => {
    const weather = fc.oneof(
      { weight: 2, arbitrary: fc.constant("fine" as const) },
      fc.constantFrom(...(Object.keys(weathers) as Weather[])),
    );
    const spell = fc.record({ weather, forMs: fc.integer({ min: 100, max: 25_000 }) });
    const person = fc.record({
      spells: fc.array(spell, { maxLength: 8 }),
      skewMs: fc.integer({ min: -1e9, max: 1e9 }),
      stopMs: fc.integer({ min: 0, max: 4_900 }),
      seed: fc.float({ min: 0, max: 1, noNaN: true }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(person, { minLength: 2, maxLength: 3 }), async (people) => {
        const model = new LeaseModel();
        const terms: Term[] = [];
        const candidates = people.map(({ spells, skewMs, stopMs, seed }, at) =>
          candidate(model, terms, {
            identity: `c${at}`,
            skewMs,
            stopMs,
            random: () => seed,
            weather: () => weatherAt(spells, model.clock.monotonicMs()),
          }),
        );
        await model.clock.pass(Math.max(0, ...people.map(({ spells }) => lengthOf(spells))) + 40_000);
        const leading = candidates.filter(({ election }) => election.isLeader);
        expect(overlaps(terms)).toEqual([]);
        expect(leading).toHaveLength(1);
        for (const { stop } of candidates) stop();
        await model.clock.pass(20_000);
        await Promise.all(candidates.map(({ ended }) => ended));
        expect(overlaps(terms)).toEqual([]);
        expect(holderOf(model)).toBe("");
      }),
      { numRuns: 200 },
    );
  }, 60_000);
});

type Spell = { readonly weather: Weather; readonly forMs: number };

const lengthOf = (spells: readonly Spell[]): number => spells.reduce((sum, { forMs }) => sum + forMs, 0);

function weatherAt(spells: readonly Spell[], nowMs: number): Weather {
  let untilMs = 0;
  for (const { weather, forMs } of spells) {
    untilMs += forMs;
    if (nowMs < untilMs) return weather;
  }
  return "fine";
}
