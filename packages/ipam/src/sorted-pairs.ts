/**
 * Offsets into a pool: plain numbers where they are exact, which take half the time and a quarter of the memory of
 * bigint.
 */
export type Whole = number | bigint;

/** An entry: key and value. */
export interface Pair<N extends Whole> {
  readonly key: N;
  readonly value: N;
}

/** A fixed number of offsets: a typed array where offsets fit, because it takes the least memory. */
export interface Row<N extends Whole> {
  [place: number]: N;
}

/** Creates a row of a given length. */
export type MakeRow<N extends Whole> = (length: number) => Row<N>;

/** Pairs in order, in one row: key, value, key, value ... */
interface Chunk<N extends Whole> {
  readonly row: Row<N>;
  count: number;
}

/** Larger chunks make moving entries expensive, smaller ones moving chunks; measured from 32 to 512. */
const mostInChunk = 128;
const half = mostInChunk / 2;
/** Initial fill level of chunks: leaves space for more entries, with less memory than after many changes. */
const atFirst = (3 * mostInChunk) / 4;

/**
 * Pairs in ascending order of their keys, and of their values where keys are the same. Two levels: chunks of sorted
 * pairs, and the sorted list of chunks. A search takes two binary searches; an insertion or removal moves at most one
 * chunk.
 */
export class SortedPairs<N extends Whole> {
  readonly #makeRow: MakeRow<N>;
  readonly #chunks: Chunk<N>[] = [];
  #size = 0;

  /** Takes sorted pairs, and leaves space for more. */
  constructor(makeRow: MakeRow<N>, pairs: readonly Pair<N>[]) {
    this.#makeRow = makeRow;
    this.#size = pairs.length;
    for (let start = 0; start < pairs.length; start += atFirst) {
      const part = pairs.slice(start, start + atFirst);
      const chunk = { row: makeRow(2 * mostInChunk), count: 0 };
      for (const [index, pair] of part.entries()) putIn(chunk, index, pair);
      this.#chunks.push(chunk);
    }
  }

  get size(): number {
    return this.#size;
  }

  /** The first pair with this key or a larger one. */
  firstFrom(key: N): Pair<N> | undefined {
    const chunks = this.#chunks;
    const chunk = chunks[firstIndex(chunks.length, (at) => lastKey(chunks[at] as Chunk<N>) >= key)];
    return (
      chunk &&
      pairAt(
        chunk,
        firstIndex(chunk.count, (index) => keyAt(chunk, index) >= key),
      )
    );
  }

  /** The last pair with this key or a smaller one. */
  lastUpTo(key: N): Pair<N> | undefined {
    const chunks = this.#chunks;
    const chunk = chunks[firstIndex(chunks.length, (at) => keyAt(chunks[at] as Chunk<N>, 0) > key) - 1];
    return chunk && pairAt(chunk, firstIndex(chunk.count, (index) => keyAt(chunk, index) > key) - 1);
  }

  /** The pair with the largest key. */
  last(): Pair<N> | undefined {
    const chunk = this.#chunks.at(-1);
    return chunk && pairAt(chunk, chunk.count - 1);
  }

  /** Adds a pair. */
  insert(pair: Pair<N>): void {
    const at = Math.max(0, this.#chunkFor(pair));
    let chunk = this.#chunks[at] ?? this.#addChunk(0);
    let index = placeIn(chunk, pair);
    if (chunk.count === mostInChunk) {
      const next = this.#addChunk(at + 1);
      moveTail(chunk, half, next);
      if (index > half) {
        chunk = next;
        index -= half;
      }
    }
    putIn(chunk, index, pair);
    this.#size++;
  }

  /** Removes a pair; returns false if it does not exist. */
  remove({ key, value }: Pair<N>): boolean {
    const at = this.#chunkFor({ key, value });
    const chunk = this.#chunks[at];
    if (chunk === undefined) return false;
    const index = placeIn(chunk, { key, value });
    if (index === chunk.count || keyAt(chunk, index) !== key || valueAt(chunk, index) !== value) return false;
    takeOut(chunk, index);
    this.#size--;
    if (chunk.count < half / 2) this.#mergeAround(at);
    return true;
  }

  *[Symbol.iterator](): Generator<Pair<N>> {
    for (const chunk of this.#chunks) {
      for (let index = 0; index < chunk.count; index++) {
        yield { key: keyAt(chunk, index), value: valueAt(chunk, index) };
      }
    }
  }

  /** The last chunk that does not start after the pair; -1 if all do. */
  #chunkFor({ key, value }: Pair<N>): number {
    const chunks = this.#chunks;
    return (
      firstIndex(chunks.length, (at) => {
        const chunk = chunks[at] as Chunk<N>;
        const first = keyAt(chunk, 0);
        return first > key || (first === key && valueAt(chunk, 0) > value);
      }) - 1
    );
  }

  #addChunk(at: number): Chunk<N> {
    const chunk = { row: this.#makeRow(2 * mostInChunk), count: 0 };
    this.#chunks.splice(at, 0, chunk);
    return chunk;
  }

  /** Merges small adjacent chunks, so that memory use follows the number of entries. */
  #mergeAround(at: number): void {
    for (const left of [at - 1, at]) {
      const [into, from] = [this.#chunks[left], this.#chunks[left + 1]];
      if (into === undefined || from === undefined || into.count + from.count > half) continue;
      moveTail(from, 0, into);
      this.#chunks.splice(left + 1, 1);
      return;
    }
    if (this.#chunks[at]?.count === 0) this.#chunks.splice(at, 1);
  }
}

/** The order of pairs: by key, and by value where keys are the same. */
export function comparePairs<N extends Whole>(left: Pair<N>, right: Pair<N>): number {
  if (left.key !== right.key) return left.key < right.key ? -1 : 1;
  if (left.value !== right.value) return left.value < right.value ? -1 : 1;
  return 0;
}

function keyAt<N extends Whole>({ row }: Chunk<N>, index: number): N {
  return row[2 * index] as N;
}

function valueAt<N extends Whole>({ row }: Chunk<N>, index: number): N {
  return row[2 * index + 1] as N;
}

function lastKey<N extends Whole>(chunk: Chunk<N>): N {
  return keyAt(chunk, chunk.count - 1);
}

function pairAt<N extends Whole>(chunk: Chunk<N>, index: number): Pair<N> | undefined {
  if (index < 0 || index >= chunk.count) return undefined;
  return { key: keyAt(chunk, index), value: valueAt(chunk, index) };
}

function putIn<N extends Whole>(chunk: Chunk<N>, index: number, { key, value }: Pair<N>): void {
  const { row, count } = chunk;
  // A loop, because copyWithin is many times slower where the row is a plain array of bigint.
  for (let place = 2 * count + 1; place > 2 * index + 1; place--) row[place] = row[place - 2] as N;
  row[2 * index] = key;
  row[2 * index + 1] = value;
  chunk.count++;
}

function takeOut<N extends Whole>(chunk: Chunk<N>, index: number): void {
  const { row, count } = chunk;
  for (let place = 2 * index + 2; place < 2 * count; place++) row[place - 2] = row[place] as N;
  chunk.count--;
}

/** Moves the entries from an index on to the end of another chunk. */
function moveTail<N extends Whole>(from: Chunk<N>, index: number, into: Chunk<N>): void {
  for (let place = 2 * index, target = 2 * into.count; place < 2 * from.count; place++, target++) {
    into.row[target] = from.row[place] as N;
  }
  into.count += from.count - index;
  from.count = index;
}

/** Index of a pair in a chunk, or its insertion point. */
function placeIn<N extends Whole>(chunk: Chunk<N>, { key, value }: Pair<N>): number {
  return firstIndex(chunk.count, (index) => {
    const other = keyAt(chunk, index);
    return other > key || (other === key && valueAt(chunk, index) >= value);
  });
}

/** The first index for which a monotonic predicate is true; the count if there is none. */
function firstIndex(count: number, isReached: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isReached(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
