import { formatIpAddress, InvalidInput, type IpRange, rangesOverlap } from "@butler/std";
import { FreeRuns, type Span } from "./free-runs.ts";
import { contains, managedRanges, type PoolShape, reservedRanges, usableRanges } from "./pool-shape.ts";
import { clip, fused, without } from "./range-set.ts";
import { bigintScale, mostInNumbers, numberScale } from "./scale.ts";
import { type Capacity, capacityOf, type PoolUsage, usageOf } from "./usage.ts";

/**
 * Why a range cannot be allocated: part of it is outside all ranges of the pool, it spans several ranges, part of it is
 * reserved, or part of it is taken.
 */
export type PinRefusal = "outside" | "straddles" | "reserved" | "taken";

/** The free addresses of a pool. The cost depends on the number of free runs, never on the number of addresses. */
export class AddressSpace {
  readonly #family: 4 | 6;
  readonly #managed: readonly IpRange[];
  readonly #reserved: readonly IpRange[];
  readonly #usable: readonly IpRange[];
  readonly #capacity: Capacity;
  readonly #free: FreeRuns<number> | FreeRuns<bigint>;

  private constructor(shape: PoolShape, taken: Iterable<IpRange>) {
    this.#family = shape.network.family;
    this.#managed = managedRanges(shape);
    this.#reserved = reservedRanges(shape);
    this.#usable = usableRanges(shape);
    this.#capacity = capacityOf(shape);
    const ofFamily = [...taken].filter(({ family }) => family === this.#family);
    this.#free = freeRunsOf(without(this.#usable, fused(ofFamily)), this.#usable);
  }

  /** The space of a pool with taken ranges. Ranges outside the pool are ignored, and overlaps count once. */
  static of(shape: PoolShape, taken: Iterable<IpRange> = []): AddressSpace {
    return new AddressSpace(shape, taken);
  }

  /**
   * Allocates from the start of the smallest free run that is large enough, of several the lowest; undefined if there
   * is none.
   */
  allocate(count: bigint): IpRange | undefined {
    if (count < 1n) {
      throw new InvalidInput(`invalid block size: ${count} addresses`, { hint: "Specify at least one address." });
    }
    // A count larger than the pool may not fit the number type of the runs.
    if (count > this.#capacity.total) return undefined;
    const span = this.#free.takeBestFit(count);
    return span && this.#rangeOf(span);
  }

  /** Allocates exactly this range, or returns the reason without changes. */
  pin(range: IpRange): PinRefusal | undefined {
    requireOrder(range);
    const touched = this.#managed.filter((managed) => rangesOverlap(managed, range));
    if (touched.length > 1) return "straddles";
    if (touched[0] === undefined || !contains(touched[0], range)) return "outside";
    if (this.#reserved.some((reserved) => rangesOverlap(reserved, range))) return "reserved";
    return this.#free.take(range) ? undefined : "taken";
  }

  /** Releases addresses. Addresses outside the pool or reserved ones stay unavailable. */
  release(range: IpRange): void {
    requireOrder(range);
    for (const usable of this.#usable) {
      const part = clip(range, usable);
      if (part !== undefined) this.#free.give(part, usable);
    }
  }

  /** Numbers for a pool's status. */
  usage(): PoolUsage {
    const { total: available, largest, count: runs } = this.#free;
    return usageOf(this.#capacity, { available, largest, runs });
  }

  /** Free runs, ascending; a run ends at the end of its range. */
  *freeRanges(): Generator<IpRange> {
    for (const span of this.#free) yield this.#rangeOf(span);
  }

  #rangeOf({ first, last }: Span): IpRange {
    return { family: this.#family, first, last };
  }
}

function freeRunsOf(free: readonly IpRange[], usable: readonly IpRange[]): FreeRuns<number> | FreeRuns<bigint> {
  const base = usable[0]?.first ?? 0n;
  const size = (usable.at(-1)?.last ?? base) - base + 1n;
  return size <= mostInNumbers ? new FreeRuns(numberScale(base, size), free) : new FreeRuns(bigintScale(base), free);
}

function requireOrder({ family, first, last }: IpRange): void {
  if (first <= last) return;
  const [from, to] = [first, last].map((value) => formatIpAddress({ family, value }));
  throw new InvalidInput(`invalid range: start ${from} is greater than end ${to}`, {
    hint: "Specify the lower address first.",
  });
}
