import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bigintScale, numberScale, type Scale } from "./scale.ts";
import { comparePairs, type Pair, SortedPairs, type Whole } from "./sorted-pairs.ts";
import { propertyRuns } from "./testing/property-runs.ts";

/** A long list of few different pairs, so that chunks split, run empty and become one, and keys are the same often. */
const steps = fc.array(
  fc.record({
    isAdded: fc.integer({ min: 0, max: 99 }).map((percent) => percent < 60),
    key: fc.nat({ max: 60 }),
    value: fc.nat({ max: 40 }),
  }),
  { minLength: 200, maxLength: 1_500, size: "max" },
);

/** A plain sorted array, searched from one end to the other. */
class Plain<N extends Whole> {
  pairs: Pair<N>[] = [];

  has(pair: Pair<N>): boolean {
    return this.pairs.some((each) => comparePairs(each, pair) === 0);
  }

  insert(pair: Pair<N>): void {
    this.pairs = [...this.pairs, pair].sort(comparePairs);
  }

  remove(pair: Pair<N>): void {
    this.pairs = this.pairs.filter((each) => comparePairs(each, pair) !== 0);
  }
}

function textOf(pair: Pair<Whole> | undefined): string {
  return pair === undefined ? "none" : `${pair.key}:${pair.value}`;
}

/** Adds what is not there, removes what is, and asks about everything in between. */
function compareWithPlain<N extends Whole>(
  { distanceOf, makeRow }: Scale<N>,
  given: readonly { isAdded: boolean; key: number; value: number }[],
): void {
  const plain = new Plain<N>();
  const sorted = new SortedPairs<N>(makeRow, []);
  for (const { isAdded, key, value } of given) {
    const pair = { key: distanceOf(BigInt(key)), value: distanceOf(BigInt(value)) };
    const isThere = plain.has(pair);
    if (isAdded && !isThere) {
      plain.insert(pair);
      sorted.insert(pair);
    } else if (!isAdded) {
      plain.remove(pair);
      expect(sorted.remove(pair)).toBe(isThere);
    }
    expect(textOf(sorted.firstFrom(pair.key))).toBe(textOf(plain.pairs.find((each) => each.key >= pair.key)));
    expect(textOf(sorted.lastUpTo(pair.key))).toBe(textOf(plain.pairs.findLast((each) => each.key <= pair.key)));
    expect(textOf(sorted.last())).toBe(textOf(plain.pairs.at(-1)));
    expect(sorted.size).toBe(plain.pairs.length);
  }
  expect([...sorted].map(textOf)).toEqual(plain.pairs.map(textOf));
  expect([...new SortedPairs(makeRow, plain.pairs)].map(textOf)).toEqual(plain.pairs.map(textOf));
}

describe("sorted pairs", () => {
  it.each<[string, (given: Parameters<typeof compareWithPlain>[1]) => void]>([
    ["32 bits", (given) => compareWithPlain(numberScale(0n, 1n), given)],
    ["numbers", (given) => compareWithPlain(numberScale(0n, 2n ** 50n), given)],
    ["bigint", (given) => compareWithPlain(bigintScale(0n), given)],
  ])("of %s are what a sorted array is", (_name, compare) => {
    fc.assert(fc.property(steps, compare), { numRuns: propertyRuns.sortedPairs / 3 });
  });

  it("empty again, can be filled again", () => {
    const sorted = new SortedPairs<number>(numberScale(0n, 1_000n).makeRow, []);
    const pairs = Array.from({ length: 1_000 }, (_, key) => ({ key, value: key }));
    for (const order of [pairs, pairs.toReversed()]) {
      for (const pair of pairs) sorted.insert(pair);
      for (const pair of order) expect(sorted.remove(pair)).toBe(true);
      expect([sorted.size, sorted.last(), sorted.firstFrom(0), sorted.lastUpTo(999)]).toEqual([
        0,
        undefined,
        undefined,
        undefined,
      ]);
    }
  });
});
