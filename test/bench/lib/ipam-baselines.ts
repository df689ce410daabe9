/** Blocks of a pool, by the offset of their first address. */
export interface Block {
  readonly first: number;
  readonly count: number;
}

/**
 * Allocates blocks by best fit: from the start of the smallest free run that is large enough; of several, the lowest.
 */
export interface Allocator<Given = Block> {
  allocate(count: number): Given | undefined;
  release(given: Given): void;
}

/** One bit per address, and a linear scan for each block. */
export class BitmapPool implements Allocator {
  readonly #bits: Uint8Array;
  readonly #size: number;

  constructor(size: number, taken: readonly Block[]) {
    this.#size = size;
    this.#bits = new Uint8Array(Math.ceil(size / 8));
    for (const block of taken) this.#mark(block, true);
  }

  allocate(count: number): Block | undefined {
    const first = this.#bestFit(count);
    if (first < 0) return undefined;
    const block = { first, count };
    this.#mark(block, true);
    return block;
  }

  /** Only local variables: any abstraction makes the scan several times slower. */
  #bestFit(count: number): number {
    const [bits, size] = [this.#bits, this.#size];
    let [best, room, start] = [-1, Infinity, 0];
    for (let at = 0; at < size;) {
      const byte = bits[at >>> 3] ?? 0;
      // Most bytes are completely free or completely allocated.
      const isWhole = (at & 7) === 0 && (byte === 0 || byte === 0xff);
      const step = isWhole ? 8 : 1;
      if (((byte >>> (at & 7)) & 1) !== 0) {
        const length = at - start;
        if (length >= count && length < room) {
          best = start;
          room = length;
        }
        start = at + step;
      }
      at += step;
    }
    return size - start >= count && size - start < room ? start : best;
  }

  release(block: Block): void {
    this.#mark(block, false);
  }

  #mark({ first, count }: Block, isTaken: boolean): void {
    for (let at = first; at < first + count; at++) {
      const bit = 1 << (at & 7);
      const byte = this.#bits[at >>> 3] ?? 0;
      this.#bits[at >>> 3] = isTaken ? byte | bit : byte & ~bit;
    }
  }
}

/** The blocks in sorted order, and a linear scan of the gaps for each block. */
export class SortedArrayPool implements Allocator {
  readonly #size: number;
  readonly #starts: number[];
  readonly #ends: number[];

  constructor(size: number, taken: readonly Block[]) {
    const sorted = taken.toSorted((left, right) => left.first - right.first);
    this.#size = size;
    this.#starts = sorted.map(({ first }) => first);
    this.#ends = sorted.map(({ first, count }) => first + count);
  }

  allocate(count: number): Block | undefined {
    const at = this.#bestFit(count);
    if (at < 0) return undefined;
    const first = this.#ends[at - 1] ?? 0;
    this.#starts.splice(at, 0, first);
    this.#ends.splice(at, 0, first + count);
    return { first, count };
  }

  /** The index of the gap, including the one after the last block. */
  #bestFit(count: number): number {
    const starts = this.#starts;
    const ends = this.#ends;
    let best = -1;
    let room = this.#size + 1;
    let free = 0;
    for (let at = 0; at < starts.length; at++) {
      const length = (starts[at] ?? 0) - free;
      if (length >= count && length < room) {
        best = at;
        room = length;
      }
      free = ends[at] ?? 0;
    }
    return this.#size - free >= count && this.#size - free < room ? starts.length : best;
  }

  release({ first }: Block): void {
    let [low, high] = [0, this.#starts.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#starts[middle] ?? 0) < first) low = middle + 1;
      else high = middle;
    }
    this.#starts.splice(low, 1);
    this.#ends.splice(low, 1);
  }
}
