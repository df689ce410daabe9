import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AddressSpace } from "./address-space.ts";
import { BitmapModel, lengthOf } from "./testing/bitmap-model.ts";
import { propertyRuns } from "./testing/property-runs.ts";
import { type Cells, cellsOf, rangeOf, shapeOf, smallPool, someCells, type SmallPool } from "./testing/small-pool.ts";

type Step =
  | { readonly do: "allocate"; readonly count: number }
  | { readonly do: "pin"; readonly cells: Cells }
  | { readonly do: "release"; readonly cells: Cells }
  | { readonly do: "leave"; readonly which: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant("allocate"), count: fc.integer({ min: 1, max: 9 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("pin"), cells: someCells(64) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("release"), cells: someCells(64) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("leave"), which: fc.nat() }) },
);

/** The allocator and the model side by side. */
class Pair {
  readonly #pool: SmallPool;
  readonly #space: AddressSpace;
  readonly #model: BitmapModel;
  readonly #held: Cells[] = [];

  constructor(pool: SmallPool, taken: readonly Cells[]) {
    this.#pool = pool;
    this.#model = new BitmapModel(pool, taken);
    const ranges = taken.map((cells) => rangeOf(pool, cells));
    this.#space = AddressSpace.of(shapeOf(pool), ranges);
  }

  take(next: Step): void {
    if (next.do === "allocate") this.#allocate(next.count);
    else if (next.do === "pin") this.#pin(next.cells);
    else if (next.do === "release") this.#release(next.cells);
    else if (this.#held.length > 0) this.#release(this.#held.splice(next.which % this.#held.length, 1)[0]);
  }

  #allocate(count: number): void {
    const given = this.#space.allocate(BigInt(count) * this.#pool.unit);
    const expected = this.#model.allocate(count);
    expect(textOf(given && cellsOf(this.#pool, given))).toBe(textOf(expected));
    if (expected !== undefined) this.#held.push(expected);
  }

  #pin(cells: Cells): void {
    const expected = this.#model.pin(cells);
    expect(this.#space.pin(rangeOf(this.#pool, cells))).toBe(expected);
    if (expected === undefined) this.#held.push(cells);
  }

  #release(cells: Cells | undefined): void {
    if (cells === undefined) return;
    this.#model.release(cells);
    this.#space.release(rangeOf(this.#pool, cells));
  }

  compare(): void {
    const runs = this.#model.freeRuns();
    const free = [...this.#space.freeRanges()].map((range) => cellsOf(this.#pool, range));
    expect(free.map(textOf).join(" ")).toBe(runs.map(textOf).join(" "));
    const { unit } = this.#pool;
    const { total, allocated, available, largestFreeBlock, fragmentationPercent } = this.#space.usage();
    const [freeCells, takenCells] = [this.#model.count("free"), this.#model.count("taken")];
    const largest = Math.max(0, ...runs.map(lengthOf));
    const scattered = runs.length <= 1 ? 0 : 100 - Math.floor((largest * 100) / freeCells);
    expect([total, allocated, available, largestFreeBlock, fragmentationPercent].join(" ")).toBe(
      [
        BigInt(freeCells + takenCells) * unit,
        BigInt(takenCells) * unit,
        BigInt(freeCells) * unit,
        BigInt(largest) * unit,
        scattered,
      ].join(" "),
    );
  }
}

function textOf(cells: Cells | undefined): string {
  return cells === undefined ? "none" : `${cells.first}-${cells.last}`;
}

describe("the address space compared with a bitmap", () => {
  it.each([
    ["IPv4", 4 as const, propertyRuns.modelIpv4],
    ["IPv6", 6 as const, propertyRuns.modelIpv6],
  ])("allocates, refuses and counts identically in %s for any operations", (_name, family, numRuns) => {
    fc.assert(
      fc.property(
        smallPool([family]),
        fc.array(someCells(64), { maxLength: 5 }),
        fc.array(step, { maxLength: 12 }),
        (pool, taken, steps) => {
          const pair = new Pair(pool, taken);
          for (const next of steps) pair.take(next);
          pair.compare();
        },
      ),
      { numRuns },
    );
  });

  it("remains identical over a long time", () => {
    fc.assert(
      fc.property(smallPool([4, 6]), fc.array(step, { minLength: 300, maxLength: 500, size: "max" }), (pool, steps) => {
        const pair = new Pair(pool, []);
        for (const next of steps) {
          pair.take(next);
          pair.compare();
        }
      }),
      { numRuns: propertyRuns.modelLong },
    );
  });
});
