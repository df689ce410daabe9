import type { IpRange } from "@butler/std";
import type { Scale } from "./scale.ts";
import { comparePairs, SortedPairs, type Whole } from "./sorted-pairs.ts";

/** First and last address; the family is implied. */
export type Span = Pick<IpRange, "first" | "last">;

/** Offset of the first address, and the offset after the last. */
interface Run<N extends Whole> {
  readonly start: N;
  readonly end: N;
}

/** The free addresses of a pool as contiguous runs in two orders: by start, and by size for best fit. */
export class FreeRuns<N extends Whole> {
  readonly #scale: Scale<N>;
  /** Start and end of every run. */
  readonly #byStart: SortedPairs<N>;
  /** Size and start of every run. */
  readonly #bySize: SortedPairs<N>;
  #total: N;

  /** Takes runs in ascending order. */
  constructor(scale: Scale<N>, spans: readonly Span[]) {
    const { offsetOf, plus, minus } = scale;
    const runs = spans.map(({ first, last }) => ({ key: offsetOf(first), value: offsetOf(last + 1n) }));
    const sizes = runs.map(({ key, value }) => ({ key: minus(value, key), value: key }));
    this.#scale = scale;
    this.#byStart = new SortedPairs(scale.makeRow, runs);
    this.#bySize = new SortedPairs(scale.makeRow, sizes.sort(comparePairs));
    this.#total = sizes.reduce((sum, { key }) => plus(sum, key), scale.distanceOf(0n));
  }

  /** Number of runs. */
  get count(): number {
    return this.#byStart.size;
  }

  /** Number of free addresses. */
  get total(): bigint {
    return this.#scale.countOf(this.#total);
  }

  /** Size of the largest run. */
  get largest(): bigint {
    const run = this.#bySize.last();
    return run === undefined ? 0n : this.#scale.countOf(run.key);
  }

  /** Allocates from the start of the smallest run that is large enough; of several, from the lowest. */
  takeBestFit(count: bigint): Span | undefined {
    const { distanceOf, addressOf, plus } = this.#scale;
    const wanted = distanceOf(count);
    const fit = this.#bySize.firstFrom(wanted);
    if (fit === undefined) return undefined;
    const start = fit.value;
    this.#cut({ start, end: plus(start, fit.key) }, { start, end: plus(start, wanted) });
    const first = addressOf(start);
    return { first, last: first + count - 1n };
  }

  /** Allocates exactly this range; returns false without changes if not all of it is free. */
  take(span: Span): boolean {
    const wanted = this.#runOf(span);
    const found = this.#byStart.lastUpTo(wanted.start);
    if (found === undefined || found.value < wanted.end) return false;
    this.#cut({ start: found.key, end: found.value }, wanted);
    return true;
  }

  /** Frees this range, which may be partly free, and merges it with adjacent runs within the bounds. */
  give(span: Span, bounds: Span): void {
    const { distanceOf, minus } = this.#scale;
    const { start: low, end: high } = this.#runOf(bounds);
    let { start, end } = this.#runOf(span);
    for (;;) {
      // A run that starts where the bounds end belongs to another range.
      const found = this.#byStart.lastUpTo(end < high ? end : minus(end, distanceOf(1n)));
      if (found === undefined || found.value < start || found.key < low) break;
      this.#remove({ start: found.key, end: found.value });
      if (found.key < start) start = found.key;
      if (found.value > end) end = found.value;
    }
    this.#insert({ start, end });
  }

  *[Symbol.iterator](): Generator<Span> {
    const { addressOf } = this.#scale;
    for (const { key, value } of this.#byStart) yield { first: addressOf(key), last: addressOf(value) - 1n };
  }

  #cut(run: Run<N>, taken: Run<N>): void {
    this.#remove(run);
    if (run.start < taken.start) this.#insert({ start: run.start, end: taken.start });
    if (taken.end < run.end) this.#insert({ start: taken.end, end: run.end });
  }

  #insert({ start, end }: Run<N>): void {
    const size = this.#scale.minus(end, start);
    this.#byStart.insert({ key: start, value: end });
    this.#bySize.insert({ key: size, value: start });
    this.#total = this.#scale.plus(this.#total, size);
  }

  #remove({ start, end }: Run<N>): void {
    const size = this.#scale.minus(end, start);
    this.#byStart.remove({ key: start, value: end });
    this.#bySize.remove({ key: size, value: start });
    this.#total = this.#scale.minus(this.#total, size);
  }

  #runOf({ first, last }: Span): Run<N> {
    return { start: this.#scale.offsetOf(first), end: this.#scale.offsetOf(last + 1n) };
  }
}
