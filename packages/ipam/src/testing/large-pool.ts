import type { IpRange } from "@butler/std";
import fc from "fast-check";
import type { PoolShape } from "../pool-shape.ts";

const widths = { 4: 32, 6: 128 } as const;

/** Pools of realistic sizes, from a few addresses to a /8 or a /32, with ranges and reserved networks. */
export function largePool(family: 4 | 6): fc.Arbitrary<PoolShape> {
  const width = widths[family];
  return fc
    .record({
      hostBits: fc.integer({ min: 2, max: family === 4 ? 24 : 96 }),
      place: fc.bigInt({ min: 0n, max: 2n ** 20n }),
      cuts: fc.array(fc.nat({ max: 1_000 }), { maxLength: 8 }),
      reserved: fc.array(fc.record({ bits: fc.nat({ max: 8 }), at: fc.nat({ max: 1_000 }) }), { maxLength: 3 }),
    })
    .map(({ hostBits, place, cuts, reserved }) => {
      const size = 1n << BigInt(hostBits);
      const base = (place << BigInt(hostBits)) % (1n << BigInt(width));
      const network = { family, first: base, last: base + size - 1n };
      return {
        network,
        ranges: between(network, cuts),
        reserved: reserved.map(({ bits, at }) => {
          const part = 1n << BigInt(Math.max(0, hostBits - 2 - bits));
          const first = base + (pointIn(size, at) / part) * part;
          return { family, first, last: first + part - 1n };
        }),
      };
    });
}

/** A point of a range by thousandths. */
function pointIn(size: bigint, thousandths: number): bigint {
  return ((size - 1n) * BigInt(thousandths)) / 1_000n;
}

/** Every second piece between the cuts. */
function between({ family, first, last }: IpRange, cuts: readonly number[]): IpRange[] {
  const size = last - first + 1n;
  const points = [...new Set([...cuts].sort((a, b) => a - b).map((cut) => first + pointIn(size, cut)))];
  const ranges: IpRange[] = [];
  for (let at = 0; at + 1 < points.length; at += 2) {
    const [start, end] = points.slice(at, at + 2);
    if (start !== undefined && end !== undefined) ranges.push({ family, first: start, last: end - 1n });
  }
  return ranges;
}
