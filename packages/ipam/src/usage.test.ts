import { parseIpRange } from "@butler/std";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AddressSpace } from "./address-space.ts";
import { describeRange } from "./describe-range.ts";
import { poolShapeOf, type PoolSpec } from "./pool-shape.ts";
import { propertyRuns } from "./testing/property-runs.ts";
import { shapeOf, smallPool } from "./testing/small-pool.ts";

function usageOf(spec: PoolSpec, taken: readonly string[] = []) {
  return AddressSpace.of(poolShapeOf(spec), taken.map(parseIpRange)).usage();
}

const datacenter: PoolSpec = {
  cidr: "10.40.0.0/16",
  reserved: [{ cidr: "10.40.0.0/24" }, { cidr: "10.40.0.0/28" }, { cidr: "10.40.1.0/28" }],
  ranges: [
    { start: "10.40.1.0", end: "10.40.15.255" },
    { start: "10.40.32.0", end: "10.40.32.255" },
  ],
};

describe("the counts of a pool", () => {
  it("cover the network, the ranges and the reserved addresses", () => {
    const usage = usageOf(datacenter, ["10.40.1.0/27", "10.40.2.0/24", "10.40.200.0/24"]);
    expect(usage).toMatchObject({
      poolSize: 65_536n,
      reserved: 272n,
      total: 15n * 256n + 256n - 16n,
      allocated: 16n + 256n,
      available: 15n * 256n + 256n - 16n - 272n,
      largestFreeBlock: 13n * 256n,
    });
    expect(usage.unmanaged.map((each) => describeRange(each).text)).toEqual([
      "10.40.16.0/20",
      "10.40.33.0-10.40.255.254",
    ]);
    expect(usage.unmanagedSize).toBe(16n * 256n + 223n * 256n - 1n);
  });

  it.each<[string, PoolSpec, readonly string[], number]>([
    ["one block is free", { cidr: "10.0.0.0/24", ranges: [] }, ["10.0.0.0/25"], 0],
    ["nothing is free", { cidr: "10.0.0.0/24", ranges: [] }, ["10.0.0.0/24"], 0],
    ["two halves are free", { cidr: "10.0.0.0/24", ranges: [] }, ["10.0.0.64/26", "10.0.0.192/26"], 50],
    [
      "a third is apart, rounded up",
      { cidr: "10.0.0.0/24", ranges: [] },
      ["10.0.0.2/32", "10.0.0.4/30", "10.0.0.8/29", "10.0.0.16/28", "10.0.0.32/27", "10.0.0.64/26", "10.0.0.128/25"],
      34,
    ],
    [
      "two ranges are empty",
      {
        cidr: "10.0.0.0/24",
        ranges: [
          { start: "10.0.0.0", end: "10.0.0.9" },
          { start: "10.0.0.20", end: "10.0.0.29" },
        ],
      },
      [],
      50,
    ],
    ["one address of very many is apart", { cidr: "2001:db8::/48", ranges: [] }, ["2001:db8::1/128"], 1],
  ])("report the fragmentation when %s", (_name, spec, taken, percent) => {
    expect(usageOf(spec, taken).fragmentationPercent).toBe(percent);
  });

  it.each<[string, PoolSpec, string[]]>([
    ["nothing when the ranges are the whole network", { cidr: "10.0.0.0/24", ranges: [] }, []],
    [
      "nothing of a network of two addresses",
      { cidr: "10.0.0.0/31", ranges: [{ start: "10.0.0.0", end: "10.0.0.0" }] },
      [],
    ],
    ["nothing of a network of one", { cidr: "10.0.0.0/32", ranges: [] }, []],
    [
      "all but the ends around a range",
      { cidr: "10.0.0.0/28", ranges: [{ start: "10.0.0.4", end: "10.0.0.7" }] },
      ["10.0.0.1-10.0.0.3", "10.0.0.8-10.0.0.14"],
    ],
    [
      "one range where reserved and managed parts touch",
      { cidr: "10.0.0.0/28", reserved: [{ cidr: "10.0.0.4/30" }], ranges: [{ start: "10.0.0.8", end: "10.0.0.15" }] },
      ["10.0.0.1-10.0.0.3"],
    ],
    [
      "most of a /48",
      { cidr: "2001:db8::/48", ranges: [{ start: "2001:db8::", end: "2001:db8::ffff" }] },
      ["2001:db8::1:0-2001:db8:0:ffff:ffff:ffff:ffff:fffe"],
    ],
  ])("count as unmanaged %s", (_name, spec, expected) => {
    expect(usageOf(spec).unmanaged.map((each) => describeRange(each).text)).toEqual(expected);
  });

  it("add up to the whole network, with each address in one count", () => {
    fc.assert(
      fc.property(smallPool([4, 6]), (pool) => {
        const { family, base, unit, size } = pool;
        const usage = AddressSpace.of(shapeOf({ ...pool, unit: 1n })).usage();
        const isIn = (cells: readonly { first: number; last: number }[], cell: number): boolean =>
          cells.some(({ first, last }) => cell >= first && cell <= last);
        const managed = pool.ranges.length === 0 ? [{ first: 0, last: size - 1 }] : pool.ranges;
        const cells = Array.from({ length: size }, (_, cell) => cell);
        const reserved = cells.filter((cell) => isIn(pool.reserved, cell));
        const total = cells.filter((cell) => isIn(managed, cell) && !isIn(pool.reserved, cell));
        const others = cells.slice(1, -1).filter((cell) => !isIn(managed, cell) && !isIn(pool.reserved, cell));
        const listed = usage.unmanaged.flatMap(({ first, last }) => {
          const start = Number(first - base);
          return Array.from({ length: Number(last - first) + 1 }, (_, at) => start + at);
        });
        expect(listed).toEqual(others);
        expect(usage.unmanaged.every((each) => each.family === family)).toBe(true);
        expect([usage.poolSize, usage.reserved, usage.total, usage.unmanagedSize]).toEqual(
          [cells, reserved, total, others].map(({ length }) => BigInt(length)),
        );
        expect(AddressSpace.of(shapeOf(pool)).usage().total).toBe(usage.total * unit);
      }),
      { numRuns: propertyRuns.usage },
    );
  });
});
