import { finalizers, type IPAllocation, type NetworkPool } from "@butler/api";
import { Conflict } from "@butler/std";
import { isSoak, shortOrLong } from "@butler/testkit/soak";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plan as planClaim } from "./ip-allocation/plan.ts";
import { plan as planPool, type PoolEffect } from "./network-pool/plan.ts";
import { isTaken, rangeOf } from "./shared/claims.ts";
import { aClaim, activeStatus, aPool } from "./testing/objects.ts";
import { SmallStore, type StoreOptions } from "./testing/small-store.ts";

/** An actor that performs one step at a time; other actors may run between two steps. */
type Actor = Generator<undefined, never, undefined>;

interface Look {
  readonly pool: NetworkPool;
  readonly claims: readonly IPAllocation[];
}

interface ModelOptions extends StoreOptions {
  readonly look?: (model: Model) => Generator<undefined, Look, undefined>;
}

/** A simulation in which time advances only on request. */
class Model {
  readonly store: SmallStore;
  nowMs = Date.parse("2026-01-01T00:00:00Z");
  made = 0;
  readonly look: NonNullable<ModelOptions["look"]>;

  constructor({ look = lookInOrder, ...options }: ModelOptions) {
    this.look = look;
    this.store = new SmallStore(options);
    this.store.putPool(aPool({ spec: { cidr: "10.40.0.0/29", quarantine: "10s" }, status: activeStatus }));
  }

  get now(): Date {
    return new Date(this.nowMs);
  }

  get pool(): NetworkPool {
    const pool = this.store.pools.get("underlay");
    if (pool === undefined) throw new Error("the pool is gone");
    return pool;
  }
}

function attempt(write: () => void): boolean {
  try {
    write();
    return true;
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    return false;
  }
}

const listClaims = ({ store }: Model): IPAllocation[] => [...store.claims.values()];

/** Reads the pool first, as it must be. */
function* lookInOrder(model: Model): Generator<undefined, Look, undefined> {
  const { pool } = model;
  yield;
  return { pool, claims: listClaims(model) };
}

/** Reads the claims first: what leaves the pool's list in between is then in neither. */
function* lookTheWrongWayRound(model: Model): Generator<undefined, Look, undefined> {
  const claims = listClaims(model);
  yield;
  return { pool: model.pool, claims };
}

/** A process that allocates addresses: reads, then writes one object after the other. */
function* allocator(model: Model): Actor {
  for (;;) {
    const { pool, claims } = yield* model.look(model);
    yield;
    const { effects = [] } = planPool({ pool, claims, others: [pool], uses: [], isFresh: true }, model.now);
    for (const effect of effects) {
      const isWritten = yield* carryOut(model, effect);
      if (!isWritten) break;
    }
    yield;
  }
}

/** Returns whether the pass continues; a pool that was written by another process is read again. */
function* carryOut({ store }: Model, effect: PoolEffect): Generator<undefined, boolean, undefined> {
  if (effect.type === "writePool") {
    const isWritten = attempt(() => store.writePool(effect.write));
    yield;
    return isWritten;
  }
  for (const write of effect.writes) {
    attempt(() => store.writeClaim(write));
    yield;
  }
  return true;
}

/** A process that manages the lifecycle of claims, based on outdated reads. */
function* recorder(model: Model): Actor {
  for (let at = 0; ; at++) {
    const all = [...model.store.claims.values()];
    const claim = all[at % Math.max(1, all.length)];
    yield;
    if (claim === undefined) continue;
    const observed = { claim, pool: model.pool, isOrphan: false, orphanGraceMs: 1 };
    const { finalizer, effects = [] } = planClaim(observed, model.now);
    for (const effect of effects) {
      if (effect.type === "writeClaim") attempt(() => model.store.writeClaim(effect.write));
      yield;
    }
    if (finalizer === "release") attempt(() => model.store.writeFinalizers(claim, []));
    else if (claim.metadata.finalizers?.length === 0) {
      attempt(() => model.store.writeFinalizers(claim, [finalizers.ipAllocation]));
    }
    yield;
  }
}

const step = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({ do: fc.constant("step" as const), who: fc.nat(3), times: fc.integer({ min: 1, max: 6 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("claim" as const), name: fc.nat(5), count: fc.integer({ min: 1, max: 4 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("delete" as const), name: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("crash" as const), who: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("wait" as const), seconds: fc.integer({ min: 1, max: 12 }) }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const makers = [allocator, allocator, recorder, recorder] as const;

function play(steps: readonly Step[], options: ModelOptions = {}): Model {
  const model = new Model(options);
  const actors = makers.map((make) => make(model));
  for (const each of steps) {
    if (each.do === "step") for (let time = 0; time < each.times; time++) actors[each.who]?.next();
    else if (each.do === "crash") actors[each.who] = (makers[each.who] ?? allocator)(model);
    else if (each.do === "wait") model.nowMs += each.seconds * 1_000;
    else if (each.do === "delete") model.store.deleteClaim(`claim-${each.name}`, model.now);
    else createClaim(model, each);
    requireOneHolder(model);
  }
  return model;
}

function createClaim(model: Model, { name: at, count }: { name: number; count: number }): void {
  const name = `claim-${at}`;
  if (model.store.claims.has(name)) return;
  model.made += 1;
  const creationTimestamp = model.now.toISOString();
  const spec = { count };
  model.store.putClaim(aClaim({ name, uid: `uid-${model.made}`, finalizers: [], creationTimestamp, spec }));
}

/** No two claims, allocated or in quarantine, share an address; and an allocated claim never changes its addresses. */
function requireOneHolder({ store, now }: Model): void {
  const holders = [...store.claims.values()].filter((claim) => isTaken(claim, now));
  for (const [at, one] of holders.entries()) {
    for (const other of holders.slice(at + 1)) {
      if (haveCommon(one, other)) throw new Error(`${textOf(one)} and ${textOf(other)}`);
    }
  }
}

function haveCommon(one: IPAllocation, other: IPAllocation): boolean {
  const [left, right] = [rangeOf(one), rangeOf(other)];
  return left !== undefined && right !== undefined && left.first <= right.last && right.first <= left.last;
}

function textOf({ metadata, status }: IPAllocation): string {
  return `${metadata.name} (${metadata.uid}) has ${status?.startAddress} to ${status?.endAddress}`;
}

const timeout = shortOrLong(300_000, 3_600_000);
/**
 * Most seeds find these faults after thousands of schedules; with this one each of them comes within about a hundred.
 */
const soonFound = isSoak() ? {} : { seed: 503 };
const schedules = fc.array(step, { minLength: 30, maxLength: 120 });

describe("two allocating processes and two that manage claims, in any order, crashing at any point,", () => {
  it("never allocate an address to two claims", { timeout }, () => {
    fc.assert(
      fc.property(schedules, (steps) => void play(steps)),
      { numRuns: shortOrLong(400, 20_000) },
    );
  });

  it("reach a final state in which all claims are served that fit", { timeout }, () => {
    fc.assert(
      fc.property(schedules, (steps) => {
        const calm = makers.flatMap((_make, who) => [{ do: "step" as const, who, times: 40 }]);
        const rounds = Array.from({ length: 8 }, () => [{ do: "wait" as const, seconds: 11 }, ...calm]).flat();
        const { store, pool } = play([...steps, ...rounds]);
        const claims = [...store.claims.values()];
        expect(claims.filter(({ metadata }) => metadata.deletionTimestamp !== undefined)).toEqual([]);
        expect(pool.status?.grants).toBeUndefined();
        for (const claim of claims) expect(["Allocated", "Pending"]).toContain(claim.status?.phase);
        const waiting = claims.filter(({ status }) => status?.phase === "Pending");
        const least = Math.min(...waiting.map(({ spec }) => spec.count ?? 0));
        expect(pool.status?.largestFreeBlock ?? 0).toBeLessThan(least);
      }),
      { numRuns: shortOrLong(60, 3_000) },
    );
  });

  it.each<[string, ModelOptions]>([
    ["the API server took writes to pools that come too late", { takesAnyPoolVersion: true }],
    ["the API server took writes to claims that come too late", { takesAnyClaimVersion: true }],
    ["they looked at the claims before the pool", { look: lookTheWrongWayRound }],
  ])("would allocate an address twice if %s", { timeout }, (_what, options) => {
    const outcome = fc.check(
      fc.property(schedules, (steps) => void play(steps, options)),
      { numRuns: 30_000, endOnFailure: true, ...soonFound },
    );
    expect(outcome.failed).toBe(true);
  });
});
