import { describe, expect, it } from "vitest";
import { effectiveRanges } from "./network-pool.ts";

const defaults = { nodesPerTenant: 5, lbPoolPerTenant: 8 };
const single = { start: "10.40.1.0", end: "10.40.1.255" };
const ranges = [{ start: "10.40.2.0", end: "10.40.2.255" }];

describe("effectiveRanges", () => {
  it.each([
    ["no tenantAllocation", undefined, []],
    ["neither form", { defaults }, []],
    ["the empty strings of older clients", { defaults, start: "", end: "" }, []],
    ["start and end", { defaults, ...single }, [single]],
    ["ranges", { defaults, ranges }, ranges],
    ["both, with ranges taking precedence", { defaults, ...single, ranges }, ranges],
    ["start and end with an empty list", { defaults, ...single, ranges: [] }, [single]],
  ])("reads %s", (_name, allocation, expected) => {
    expect(effectiveRanges(allocation)).toEqual(expected);
  });
});
