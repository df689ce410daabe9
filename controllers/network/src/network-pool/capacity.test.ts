import { mergeConditions } from "@butler/resource";
import { describe, expect, it } from "vitest";
import { capacityConditions, capacityEvents, usedPercent } from "./capacity.ts";

const now = new Date("2026-01-01T00:00:00Z");
const after = (percent: number) =>
  mergeConditions({ current: [], stated: capacityConditions(percent), generation: 1, now });

describe("pool utilization", () => {
  it.each([
    [0n, 0n, 100],
    [100n, 100n, 0],
    [100n, 1n, 99],
    [1_000n, 1n, 99],
    [1_000n, 0n, 100],
    [2n ** 80n, 2n ** 79n, 50],
  ])("of %i addresses with %i left is %i %%", (total, available, percent) => {
    expect(usedPercent(total, available)).toBe(percent);
  });

  it.each([
    [69, []],
    [70, ["CapacityWarning"]],
    [84, ["CapacityWarning"]],
    [85, ["CapacityWarning", "CapacityCritical"]],
    [95, ["CapacityWarning", "CapacityCritical", "CapacityExhausted"]],
  ])("at %i %% sets %j to True, and states all three conditions", (percent, expected) => {
    const conditions = capacityConditions(percent);
    expect(conditions).toHaveLength(3);
    const holding = conditions.filter(({ status }) => status === "True").map(({ type }) => type);
    expect(holding.sort()).toEqual([...expected].sort());
  });

  it.each([
    [0, 69, undefined],
    [0, 70, "PoolCapacityWarning"],
    [0, 100, "PoolCapacityExhausted"],
    [70, 84, undefined],
    [70, 85, "PoolCapacityCritical"],
    [85, 95, "PoolCapacityExhausted"],
    [100, 95, undefined],
    [100, 86, undefined],
    [100, 70, undefined],
    [100, 69, "PoolCapacityRecovered"],
    [70, 0, "PoolCapacityRecovered"],
  ])("from %i to %i %% records the event %s", (before, percent, reason) => {
    expect(capacityEvents(after(before), percent).map((event) => event.reason)).toEqual(
      reason === undefined ? [] : [reason],
    );
  });
});
