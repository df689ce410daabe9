/** Offsets into a pool: plain numbers where they are exact, which take half the time of bigint and a quarter of its room. */
export type Whole = number | bigint;

/** An entry: what it is found by, and what goes with that. */
export interface Pair<N extends Whole> {
  readonly key: N;
  readonly value: N;
}

/** A fixed number of places for offsets: a typed array where offsets fit into one, for it takes the least memory. */
export interface Row<N extends Whole> {
  [place: number]: N;
}

/** Makes a row of so many places. */
export type MakeRow<N extends Whole> = (length: number) => Row<N>;

/** Pairs in order, in one row: key, value, key, value ... */
interface Chunk<N extends Whole> {
  readonly row: Row<N>;
  count: number;
}

/** Larger chunks make it dear to move what lies behind an entry, smaller ones to move chunks; measured from 32 to 512. */
const mostInChunk = 128;
const half = mostInChunk / 2;
/** How full chunks are at first: room for more in each, and yet less memory than after many changes. */
const atFirst = (3 * mostInChunk) / 4;

/**
 * Pairs in ascending order of their keys, and of their values where keys are the same. Two levels: chunks of sorted
 * pairs, and the sorted list of chunks. To find takes two binary searches, to add or take out moves one chunk at most.
 */
export class SortedPairs<N extends Whole> {
  readonly #makeRow: MakeRow<N>;
  readonly #chunks: Chunk<N>[] = [];
  #size = 0;

  /** Takes over pairs that are in order already, and leaves room between them. */
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

  /** Takes a pair out; false when it is not there. */
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

  /** The last chunk that does not start behind the pair; -1 when all do. */
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

  /** Makes a chunk one with a neighbour when both are small, so that memory follows what is held. */
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

/** Moves what stands at an index and behind it to the end of another chunk. */
function moveTail<N extends Whole>(from: Chunk<N>, index: number, into: Chunk<N>): void {
  for (let place = 2 * index, target = 2 * into.count; place < 2 * from.count; place++, target++) {
    into.row[target] = from.row[place] as N;
  }
  into.count += from.count - index;
  from.count = index;
}

/** Where a pair stands in a chunk, or would stand. */
function placeIn<N extends Whole>(chunk: Chunk<N>, { key, value }: Pair<N>): number {
  return firstIndex(chunk.count, (index) => {
    const other = keyAt(chunk, index);
    return other > key || (other === key && valueAt(chunk, index) >= value);
  });
}

/** The first index for which a question that goes from no to yes is answered yes; the count when it is no for all. */
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
