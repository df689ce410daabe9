import type { IpRange } from "@butler/std";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeRange } from "./describe-range.ts";
import { clip, fused, merged, sumOf, without } from "./range-set.ts";
import { range } from "./testing/networks.ts";
import { propertyRuns } from "./testing/property-runs.ts";

const textsOf = (ranges: readonly IpRange[]): string[] => ranges.map((each) => describeRange(each).text);

describe("sets of addresses", () => {
  it("keep adjacent ranges separate when merged, and join them when fused", () => {
    const ranges = ["10.0.0.4/30", "10.0.0.0/30", "10.0.0.1", "10.0.0.16/29", "10.0.0.20-10.0.0.27"].map(range);
    expect(textsOf(merged(ranges))).toEqual(["10.0.0.0/30", "10.0.0.4/30", "10.0.0.16-10.0.0.27"]);
    expect(textsOf(fused(ranges))).toEqual(["10.0.0.0/29", "10.0.0.16-10.0.0.27"]);
  });

  it("are clipped to another range of their family", () => {
    expect(clip(range("10.0.0.0/24"), range("10.0.0.9-10.0.1.3"))).toEqual(range("10.0.0.9-10.0.0.255"));
    expect(clip(range("10.0.0.0/24"), range("10.0.1.0/24"))).toBeUndefined();
    expect(clip(range("10.0.0.0/24"), range("::a00:0/120"))).toBeUndefined();
  });

  it("behave like a set of numbers", () => {
    const some = fc.array(
      fc.tuple(fc.nat({ max: 40 }), fc.nat({ max: 9 })).map(([first, more]): IpRange => ({
        family: 6,
        first: BigInt(first),
        last: BigInt(first + more),
      })),
      { maxLength: 8 },
    );
    const numbersOf = (ranges: readonly IpRange[]): Set<bigint> =>
      new Set(
        ranges.flatMap(({ first, last }) =>
          Array.from({ length: Number(last - first) + 1 }, (_, at) => first + BigInt(at)),
        ),
      );
    const isOrdered = (ranges: readonly IpRange[], gap: bigint): boolean =>
      ranges.every(({ first }, at) => at === 0 || first > (ranges[at - 1]?.last ?? 0n) + gap);
    fc.assert(
      fc.property(some, some, (left, right) => {
        const [one, other] = [merged(left), merged(right)];
        expect(numbersOf(one)).toEqual(numbersOf(left));
        expect(numbersOf(fused(left))).toEqual(numbersOf(left));
        expect(sumOf(one)).toBe(BigInt(numbersOf(left).size));
        expect([isOrdered(one, 0n), isOrdered(fused(left), 1n)]).toEqual([true, true]);
        const rest = without(one, other);
        expect(isOrdered(rest, 0n)).toBe(true);
        const taken = numbersOf(right);
        expect([...numbersOf(rest)]).toEqual([...numbersOf(one)].filter((each) => !taken.has(each)));
      }),
      { numRuns: propertyRuns.rangeSets },
    );
  });
});
