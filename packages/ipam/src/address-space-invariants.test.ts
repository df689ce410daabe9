import { type IpRange, rangesOverlap } from "@butler/std";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AddressSpace } from "./address-space.ts";
import { contains, type PoolShape } from "./pool-shape.ts";
import { lengthOf } from "./testing/bitmap-model.ts";
import { largePool } from "./testing/large-pool.ts";
import { propertyRuns } from "./testing/property-runs.ts";
import { cellsOf, rangeOf, shapeOf, smallPool, someCells } from "./testing/small-pool.ts";

/** Sizes from one address to a large part of the pool, as fractions that apply to every pool. */
const requests = fc.array(fc.record({ halvings: fc.nat({ max: 12 }), more: fc.nat({ max: 6 }) }), { maxLength: 12 });

function countIn({ network }: PoolShape, { halvings, more }: { halvings: number; more: number }): bigint {
  return ((network.last - network.first + 1n) >> BigInt(halvings)) / 2n + BigInt(more) + 1n;
}

const anyPool = fc.oneof(largePool(4), largePool(6));
const freeOf = (space: AddressSpace): IpRange[] => [...space.freeRanges()];
const sizeOf = ({ first, last }: IpRange): bigint => last - first + 1n;

describe("blocks of a pool of any size", () => {
  it.each([
    ["IPv4", largePool(4), propertyRuns.blocksIpv4],
    ["IPv6", largePool(6), propertyRuns.blocksIpv6],
  ])("never overlap, stay within their range and exclude reserved addresses in %s", (_name, pool, numRuns) => {
    fc.assert(
      fc.property(pool, requests, (shape, wanted) => {
        const space = AddressSpace.of(shape);
        const { total } = space.usage();
        const ranges = shape.ranges.length === 0 ? [shape.network] : shape.ranges;
        const held: IpRange[] = [];
        for (const request of wanted) {
          const count = countIn(shape, request);
          const block = space.allocate(count);
          if (block === undefined) continue;
          expect(sizeOf(block)).toBe(count);
          expect(ranges.some((each) => contains(each, block))).toBe(true);
          expect([...shape.reserved, ...held].some((each) => rangesOverlap(each, block))).toBe(false);
          held.push(block);
        }
        const allocated = held.reduce((sum, block) => sum + sizeOf(block), 0n);
        expect(space.usage()).toMatchObject({ total, allocated, available: total - allocated });
      }),
      { numRuns },
    );
  });

  it("depend only on the state of the pool, not on its history", () => {
    fc.assert(
      fc.property(anyPool, requests, fc.infiniteStream(fc.boolean()), (shape, wanted, stays) => {
        const space = AddressSpace.of(shape);
        const blocks = wanted.flatMap((request) => space.allocate(countIn(shape, request)) ?? []);
        const kept: IpRange[] = [];
        for (const block of blocks) {
          if (stays.next().value === true) kept.push(block);
          else space.release(block);
        }
        // Rebuilt from the current allocations in another order: the result must not depend on the history.
        const other = AddressSpace.of(shape, kept.toReversed());
        expect(freeOf(other)).toEqual(freeOf(space));
        for (const request of wanted) {
          expect(other.allocate(countIn(shape, request))).toEqual(space.allocate(countIn(shape, request)));
        }
        expect(other.usage()).toEqual(space.usage());
      }),
      { numRuns: propertyRuns.history },
    );
  });

  it("can be allocated again after release, and releasing all of them restores the initial state", () => {
    fc.assert(
      fc.property(anyPool, requests, fc.nat(), (shape, wanted, which) => {
        const space = AddressSpace.of(shape);
        const before = freeOf(space);
        const blocks = wanted.flatMap((request) => space.allocate(countIn(shape, request)) ?? []);
        const block = blocks[which % Math.max(1, blocks.length)];
        if (block !== undefined) {
          expect(space.pin(block)).toBe("taken");
          space.release(block);
          expect(space.pin(block)).toBeUndefined();
          space.release(block);
          const again = space.allocate(sizeOf(block));
          expect(again && sizeOf(again)).toBe(sizeOf(block));
          space.release(again ?? block);
        }
        for (const each of blocks) space.release(each);
        expect(freeOf(space)).toEqual(before);
      }),
      { numRuns: propertyRuns.room },
    );
  });
});

it("allocates from the smallest run that fits, and of those the lowest", () => {
  fc.assert(
    fc.property(
      smallPool([4, 6]),
      fc.array(someCells(64), { maxLength: 8 }),
      fc.integer({ min: 1, max: 15 }),
      (pool, taken, count) => {
        const space = AddressSpace.of(
          shapeOf(pool),
          taken.map((cells) => rangeOf(pool, cells)),
        );
        const places = freeOf(space)
          .map((each) => cellsOf(pool, each))
          .flatMap((run) =>
            Array.from({ length: Math.max(0, lengthOf(run) - count + 1) }, (_, at) => ({
              first: run.first + at,
              room: lengthOf(run),
            })),
          )
          .sort((left, right) => left.room - right.room || left.first - right.first);
        const block = space.allocate(BigInt(count) * pool.unit);
        expect(block && cellsOf(pool, block).first).toBe(places[0]?.first);
      },
    ),
    { numRuns: propertyRuns.bestFit },
  );
});

it("runs the properties at least 100,000 times", () => {
  expect(Object.values(propertyRuns).reduce((sum, runs) => sum + runs, 0)).toBeGreaterThanOrEqual(100_000);
});
