import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Limits } from "./limits.ts";
import { judgeQuota } from "./quota.ts";
import { noUsage, sumUsage, type Usage } from "./usage.ts";

describe("quota as a whole", () => {
  const usage = fc.record({
    clusters: fc.constant(1),
    nodes: fc.nat({ max: 6 }),
    cpuMilli: fc.bigInt({ min: 0n, max: 6n }),
    memoryBytes: fc.bigInt({ min: 0n, max: 6n }),
    storageBytes: fc.bigInt({ min: 0n, max: 6n }),
  });
  const limits: fc.Arbitrary<Limits> = fc.record(
    {
      clusters: fc.nat({ max: 6 }),
      nodes: fc.nat({ max: 20 }),
      cpuMilli: fc.bigInt({ min: 0n, max: 20n }),
      memoryBytes: fc.bigInt({ min: 0n, max: 20n }),
      storageBytes: fc.bigInt({ min: 0n, max: 20n }),
    },
    { requiredKeys: [] },
  );

  it("never allows more than a limit, whatever is created and changed", () => {
    const step = fc.record({ at: fc.nat({ max: 7 }), usage });
    fc.assert(
      fc.property(limits, fc.array(step, { maxLength: 40 }), (allowed, steps) => {
        const taken = new Map<number, Usage>();
        for (const { at, usage: wanted } of steps) {
          const others = [...taken].flatMap(([key, each]) => (key === at ? [] : [{ usage: each }]));
          const own = taken.get(at);
          const before = own === undefined ? undefined : { usage: own };
          const refusals = judgeQuota({ team: "t", limits: allowed, others, before, after: { usage: wanted } });
          if (refusals.length === 0) taken.set(at, wanted);
        }
        const total = sumUsage([...taken.values()]);
        for (const key of ["clusters", "nodes", "cpuMilli", "memoryBytes", "storageBytes"] as const) {
          const limit = allowed[key];
          if (limit !== undefined) expect(total[key] <= limit).toBe(true);
        }
      }),
    );
  });

  it("never rejects a change without growth, however low the limits are", () => {
    const less = (a: number, b: number): number => Math.min(a, b);
    fc.assert(
      fc.property(limits, fc.array(usage), usage, usage, (allowed, others, own, wanted) => {
        const after: Usage = {
          clusters: 1,
          nodes: less(own.nodes, wanted.nodes),
          cpuMilli: own.cpuMilli < wanted.cpuMilli ? own.cpuMilli : wanted.cpuMilli,
          memoryBytes: own.memoryBytes < wanted.memoryBytes ? own.memoryBytes : wanted.memoryBytes,
          storageBytes: own.storageBytes < wanted.storageBytes ? own.storageBytes : wanted.storageBytes,
        };
        const claims = others.map((each) => ({ usage: each, environment: "dev", owner: "a@b" }));
        const place = { environment: "dev", owner: "a@b" };
        const judged = judgeQuota({
          team: "t",
          limits: { ...allowed, nodesPerCluster: 0 },
          environmentLimits: { maxClusters: 1, maxClustersPerMember: 1 },
          others: claims,
          before: { usage: own, ...place },
          after: { usage: after, ...place },
        });
        expect(judged).toEqual([]);
      }),
    );
  });

  it("rejects no less when a limit is lowered", () => {
    fc.assert(
      fc.property(fc.nat({ max: 9 }), fc.nat({ max: 9 }), fc.nat({ max: 9 }), (limit, by, used) => {
        const one = { usage: { ...noUsage, clusters: 1 } };
        const others = Array.from({ length: used }, () => one);
        const refused = (clusters: number): boolean =>
          judgeQuota({ team: "t", limits: { clusters }, others, after: one }).length > 0;
        if (refused(limit)) expect(refused(Math.max(0, limit - by))).toBe(true);
      }),
    );
  });
});
