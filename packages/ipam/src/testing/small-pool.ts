import type { IpRange } from "@butler/std";
import fc from "fast-check";
import type { PoolShape } from "../pool-shape.ts";

/** Cells of a small pool from the first to the last. */
export interface Cells {
  readonly first: number;
  readonly last: number;
}

/** A pool of a few cells, each of which represents one or very many addresses: the same properties hold for both. */
export interface SmallPool {
  readonly family: 4 | 6;
  readonly base: bigint;
  readonly unit: bigint;
  readonly size: number;
  readonly ranges: readonly Cells[];
  readonly reserved: readonly Cells[];
}

/** The cell sizes that make offsets 32-bit numbers, plain numbers or bigint. */
const units = { 4: [1n, 3n, 2n ** 20n], 6: [1n, 2n ** 30n, 2n ** 60n] } as const;
const low = { 4: 10n << 24n, 6: 0x2001_0db8n << 96n } as const;

/** Small pools of every shape: at both ends of the address space, with adjacent ranges and arbitrary reserved parts. */
export function smallPool(families: readonly (4 | 6)[]): fc.Arbitrary<SmallPool> {
  return fc
    .record({
      family: fc.constantFrom(...families),
      place: fc.constantFrom("start", "middle", "end"),
      unit: fc.nat({ max: 2 }),
      parts: fc.array(fc.record({ gap: fc.nat({ max: 3 }), length: fc.integer({ min: 1, max: 14 }) }), {
        maxLength: 4,
      }),
      tail: fc.integer({ min: 1, max: 6 }),
      reserved: fc.array(someCells(48), { maxLength: 3 }),
    })
    .map(({ family, place, unit: which, parts, tail, reserved }) => {
      let next = 0;
      const ranges = parts.map(({ gap, length }) => {
        const first = next + gap;
        next = first + length;
        return { first, last: next - 1 };
      });
      const size = next + tail;
      const unit = units[family][which] ?? 1n;
      const end = 1n << (family === 4 ? 32n : 128n);
      const bases = { start: 0n, middle: low[family], end: end - BigInt(size) * unit };
      return { family, base: bases[place], unit, size, ranges, reserved };
    });
}

/** A few consecutive cells up to a limit, so that some are outside a pool. */
export function someCells(limit: number): fc.Arbitrary<Cells> {
  return fc
    .tuple(fc.nat({ max: limit }), fc.nat({ max: 8 }))
    .map(([first, more]) => ({ first, last: Math.min(limit, first + more) }));
}

/** The addresses of cells. */
export function rangeOf({ family, base, unit }: SmallPool, { first, last }: Cells): IpRange {
  return { family, first: base + BigInt(first) * unit, last: base + BigInt(last + 1) * unit - 1n };
}

/** The cells of addresses; fails for partial cells. */
export function cellsOf({ base, unit }: SmallPool, { first, last }: IpRange): Cells {
  if ((first - base) % unit !== 0n || (last + 1n - base) % unit !== 0n) throw new Error("a cell was cut");
  return { first: Number((first - base) / unit), last: Number((last + 1n - base) / unit) - 1 };
}

/** The small pool as input of the allocator. */
export function shapeOf(pool: SmallPool): PoolShape {
  return {
    network: rangeOf(pool, { first: 0, last: pool.size - 1 }),
    ranges: pool.ranges.map((cells) => rangeOf(pool, cells)),
    reserved: pool.reserved.map((cells) => rangeOf(pool, cells)),
  };
}
