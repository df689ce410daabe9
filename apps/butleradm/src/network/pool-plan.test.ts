import { NetworkPool } from "@butler/api";
import { parseObject } from "@butler/resource";
import { describe, expect, it } from "vitest";
import { buildPool, isResize, parseRange, parseReserved, planResize, type Resize } from "./pool-plan.ts";

const key = { name: "lab", namespace: "butler-system" };
const nothing: Resize = { addRanges: [], removeRanges: [], reserve: [], unreserve: [] };
const aPool = (spec: object): NetworkPool => parseObject(NetworkPool, { ...buildPool(key, {}), spec });
const low = { start: "10.0.0.2", end: "10.0.0.9" };
const high = { start: "10.0.0.100", end: "10.0.0.109" };

describe("parseRange", () => {
  it.each([
    ["10.0.0.2-10.0.0.9", low],
    [" 10.0.0.2 - 10.0.0.9 ", low],
    ["10.0.0.2-10.0.0.2", { start: "10.0.0.2", end: "10.0.0.2" }],
    ["10.0.0.9-10.0.0.2", undefined],
    ["10.0.0.2-::9", undefined],
    ["10.0.0.2", undefined],
    ["10.0.0.2-10.0.0.9-10.0.0.12", undefined],
  ])("parses %j", (word, range) => expect(parseRange(word)).toEqual(range));
});

it("parses reserved blocks with their description", () => {
  expect(parseReserved("10.0.0.0/28")).toEqual({ cidr: "10.0.0.0/28" });
  expect(parseReserved("10.0.0.0/28=a=b")).toEqual({ cidr: "10.0.0.0/28", description: "a=b" });
});

describe("planResize", () => {
  const plan = (spec: object, resize: Partial<Resize>) =>
    planResize(aPool({ cidr: "10.0.0.0/24", ...spec }), { ...nothing, ...resize });

  it("converts a start and an end to a range, and sorts ranges by address", () => {
    expect(plan({ tenantAllocation: high }, { addRanges: [low] })).toEqual({
      spec: { tenantAllocation: { ranges: [low, high], start: null, end: null } },
    });
  });

  it("replaces blocks that are reserved again, and keeps the rest", () => {
    const reserved = [{ cidr: "10.0.0.0/30" }, { cidr: "10.0.0.4/30", description: "old" }];
    const reserve = [{ cidr: "10.0.0.4/30", description: "new" }];
    expect(plan({ reserved }, { reserve, unreserve: ["10.0.0.0/30"] })).toEqual({ spec: { reserved: reserve } });
  });

  it.each<[string, object, Partial<Resize>, string]>([
    ["a range in a pool without ranges", {}, { addRanges: [low] }, "whole network is already allocatable"],
    ["a range that does not exist", { tenantAllocation: high }, { removeRanges: [low] }, "the pool has no range"],
    [
      "the removal of the last range",
      { tenantAllocation: high },
      { removeRanges: [high] },
      "whole network would become allocatable",
    ],
    ["a block that is not reserved", {}, { unreserve: ["10.0.0.0/30"] }, "is not reserved"],
  ])("rejects %s", (_what, spec, resize, message) => {
    expect(() => plan(spec, resize)).toThrow(message);
  });

  it("detects that there is nothing to change", () => {
    expect(isResize(nothing)).toBe(false);
    expect(isResize({ ...nothing, lbPerTenant: 4 })).toBe(true);
    expect(isResize({ ...nothing, unreserve: ["10.0.0.0/30"] })).toBe(true);
    expect(plan({}, { nodesPerTenant: 3 })).toEqual({
      spec: { tenantAllocation: { defaults: { nodesPerTenant: 3 } } },
    });
  });
});
