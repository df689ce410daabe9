import type { NetworkPool } from "@butler/api";
import { mergeConditions } from "@butler/resource";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aPool } from "../testing/objects.ts";
import { type Activation, activationOf, decideActivation } from "./activation.ts";

const reasons = { active: "PoolAvailable", withdrawn: "OverlapsPool", open: "Comparing" } as const;
const statuses = { active: "True", withdrawn: "False", open: "Unknown" } as const;
const now = new Date("2026-01-01T00:00:00Z");

/** The pool with an activation written to its status. */
function activation(pool: NetworkPool, which: Activation): NetworkPool {
  const stated = [{ type: "Ready", status: statuses[which], reason: reasons[which], message: "" }];
  const conditions = mergeConditions({ current: [], stated, generation: pool.metadata.generation, now });
  return { ...pool, status: { conditions } };
}

const old = aPool({ name: "old", creationTimestamp: "2026-01-01T00:00:00Z" });
const young = aPool({ name: "young", creationTimestamp: "2026-01-01T00:00:01Z" });
const apart = aPool({ name: "apart", spec: { cidr: "10.41.0.0/24" } });
const view = (pool: NetworkPool, ...others: NetworkPool[]) => ({
  pool,
  others: [pool, ...others],
  claims: [],
  uses: [],
  isFresh: true,
});

describe("a pool", () => {
  it.each<[string, NetworkPool, NetworkPool[], Activation, string?]>([
    ["becomes active alone", old, [], "active"],
    ["becomes active beside others", old, [activation(apart, "active")], "active"],
    ["withdraws for an active one", old, [activation(young, "active")], "withdrawn", "young"],
    ["withdraws for an older one", young, [old], "withdrawn", "old"],
    ["waits for a younger one to withdraw", old, [young], "open", "young"],
    ["becomes active when the younger one has withdrawn", old, [activation(young, "withdrawn")], "active"],
    ["stays active", activation(young, "active"), [old], "active"],
    ["becomes open again before it becomes active", activation(young, "withdrawn"), [], "open"],
    ["that withdrew waits for an open one", activation(old, "withdrawn"), [young], "open", "young"],
    [
      "withdraws for one that is being deleted",
      young,
      [{ ...activation(old, "open"), metadata: { ...old.metadata, deletionTimestamp: "2026-01-01T00:00:09Z" } }],
      "withdrawn",
      "old",
    ],
    [
      "is open again after a change",
      { ...activation(old, "active"), metadata: { ...old.metadata, generation: 2 } },
      [activation(young, "active")],
      "withdrawn",
      "young",
    ],
  ])("%s", (_what, pool, others, expected, rival) => {
    const decided = decideActivation(view(pool, ...others));
    expect([decided.activation, decided.rival?.metadata.name]).toEqual([expected, rival]);
  });

  it("does not overlap a pool with other ranges of the same network", () => {
    const part = (name: string, start: string, end: string) =>
      aPool({ name, spec: { tenantAllocation: { ranges: [{ start, end }] } } });
    const [left, right] = [part("left", "10.40.0.0", "10.40.0.7"), part("right", "10.40.0.8", "10.40.0.15")];
    expect(decideActivation(view(right, left))).toEqual({ activation: "active" });
    expect(decideActivation(view(right, activation(old, "active"))).activation).toBe("withdrawn");
  });
});

/** A process that reads a pool, then all pools, and writes conditionally on the pool's version. */
function* judge(pools: Map<string, NetworkPool>, name: string): Generator<undefined, never, undefined> {
  for (;;) {
    const pool = pools.get(name);
    yield;
    if (pool === undefined) continue;
    const others = [...pools.values()];
    yield;
    const decided = decideActivation({ ...view(pool), others });
    yield;
    if (pools.get(name) === pool && activationOf(pool) !== decided.activation) {
      pools.set(name, activation(pool, decided.activation));
    }
    yield;
  }
}

describe("overlapping pools", () => {
  const names = ["a", "b", "c"];
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ judge: fc.nat(5), times: fc.integer({ min: 1, max: 5 }) }) },
    { weight: 2, arbitrary: fc.record({ make: fc.nat(2), second: fc.nat(1) }) },
    { weight: 1, arbitrary: fc.record({ end: fc.nat(2) }) },
  );

  it("are never active at the same time, in any order of creation and reconciliation", { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 40, maxLength: 100 }), (steps) => {
        const pools = new Map<string, NetworkPool>();
        const judges = [...names, ...names].map((name) => judge(pools, name));
        for (const each of steps) {
          if ("judge" in each) for (let time = 0; time < each.times; time++) judges[each.judge]?.next();
          else if ("end" in each) pools.delete(names[each.end] ?? "");
          else {
            const name = names[each.make] ?? "";
            const creationTimestamp = `2026-01-01T00:00:0${each.second}Z`;
            if (!pools.has(name)) pools.set(name, aPool({ name, creationTimestamp }));
          }
          const active = [...pools.values()].filter((pool) => activationOf(pool) === "active");
          expect(active.length).toBeLessThanOrEqual(1);
        }
        for (let round = 0; round < 60; round++) for (const one of judges) one.next();
        const active = [...pools.values()].filter((pool) => activationOf(pool) === "active");
        expect(active.length).toBe(Math.min(1, pools.size));
      }),
      { numRuns: 1_000 },
    );
  });
});
