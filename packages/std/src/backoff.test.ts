import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { backoffDelayMs, type BackoffPolicy } from "./backoff.ts";

const steady: BackoffPolicy = { initialMs: 100, maximumMs: 5_000, factor: 2, jitter: 0 };

describe("backoffDelayMs", () => {
  it.each<[number, number]>([
    [0, 100],
    [1, 100],
    [2, 200],
    [3, 400],
    [6, 3_200],
    [7, 5_000],
    [5_000, 5_000],
  ])("waits, after %d failures in a row, %d ms", (failures, expected) => {
    expect(backoffDelayMs(steady, failures)).toBe(expected);
  });

  it.each<[number, number]>([
    [0, 1_000],
    [0.5, 850],
    [1, 700],
  ])("subtracts jitter when the random number is %d", (random, expected) => {
    expect(backoffDelayMs({ ...steady, initialMs: 1_000, jitter: 0.3 }, 1, () => random)).toBe(expected);
  });

  const policies = fc.record({
    initialMs: fc.nat({ max: 10_000 }),
    maximumMs: fc.nat({ max: 600_000 }),
    factor: fc.double({ min: 1, max: 10, noNaN: true }),
    jitter: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  const dice = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

  it("stays between the jittered minimum and the maximum for any number of failures", () => {
    fc.assert(
      fc.property(policies, fc.nat({ max: 10_000 }), dice, (policy, failures, random) => {
        const delayMs = backoffDelayMs(policy, failures, () => random);
        const leastMs = Math.min(policy.initialMs, policy.maximumMs) * (1 - policy.jitter);
        expect(delayMs).toBeGreaterThanOrEqual(Math.floor(leastMs));
        expect(delayMs).toBeLessThanOrEqual(policy.maximumMs);
      }),
    );
  });

  it("never shrinks from one failure to the next without jitter", () => {
    fc.assert(
      fc.property(policies, fc.nat({ max: 2_000 }), (policy, failures) => {
        const sure = { ...policy, jitter: 0 };
        expect(backoffDelayMs(sure, failures + 1)).toBeGreaterThanOrEqual(backoffDelayMs(sure, failures));
      }),
    );
  });
});
