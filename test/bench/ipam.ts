// What a block of addresses costs in a large and scattered pool, against the two plain ways to keep account of one: a bitmap,
// and a sorted array of what is taken. All three must give the same blocks. Everyone takes turns round by round; of a round
// the least disturbed batch counts (or processor time, for what is slow), and of the rounds the median, so that a busy machine
// changes little.
import { AddressSpace, type PoolShape, poolShapeOf } from "@butler/ipam";
import type { IpRange } from "@butler/std";
import { type Allocator, BitmapPool, type Block, SortedArrayPool } from "./lib/ipam-baselines.ts";
import { type Figure, printReport, quantile } from "./lib/report.ts";

const rounds = 15;
const poolSize = 2 ** 24;
const many = 100_000;
const few = 1_000;
const mostTimesDearer = 5;
const ipv4 = poolShapeOf({ cidr: "10.0.0.0/8", ranges: [] });
const ipv6 = poolShapeOf({ cidr: "2001:db8::/48", ranges: [] });

/** Microseconds for one of each. */
interface Turn {
  readonly allocate: number;
  readonly release: number;
}

/** Blocks are allocated in batches and then released again: smaller ones for those that take long. */
interface Batches<Given> {
  readonly batches: number;
  readonly atOnce: number;
  readonly firstOf: (given: Given) => number;
}

/** A pool implementation under test, and its cost so far. */
class Contestant<Given> {
  readonly #turns: Turn[] = [];
  readonly #allocator: Allocator<Given>;
  readonly #options: Batches<Given>;

  constructor(allocator: Allocator<Given>, options: Batches<Given>) {
    this.#allocator = allocator;
    this.#options = options;
  }

  /** One turn; the pool is afterwards what it was. Says where the first blocks were, for comparison. */
  takeTurn(sizes: readonly number[]): number[] {
    const { batches, atOnce, firstOf } = this.#options;
    const samples = Array.from({ length: batches }, (_, at) =>
      this.#takeBatch(sizes.slice(at * atOnce).slice(0, atOnce)),
    );
    const least = (of: keyof Turn): number => Math.min(...samples.map((sample) => sample[of]));
    const processor = samples.reduce((sum, sample) => sum + sample.processor, 0);
    // What takes longer than a share of a busy processor is never undisturbed, but then its own clock is fine enough.
    const undisturbed = processor > clockSteps ? processor / (batches * atOnce) : Infinity;
    this.#turns.push({ allocate: Math.min(least("allocate"), undisturbed), release: least("release") });
    return samples[0]?.given.slice(0, comparedPlaces).map(firstOf) ?? [];
  }

  /** The median over all rounds, the first of which was for warming up. */
  cost(of: keyof Turn): number {
    const values = this.#turns.slice(1).map((turn) => turn[of]);
    return quantile(values, 0.5);
  }

  #takeBatch(sizes: readonly number[]): Turn & { readonly processor: number; readonly given: readonly Given[] } {
    const before = process.threadCpuUsage();
    const startedAt = performance.now();
    const given = sizes.map((size) => required(this.#allocator.allocate(size)));
    const allocatedAt = performance.now();
    const { user, system } = process.threadCpuUsage(before);
    const releaseStartedAt = performance.now();
    for (const each of given) this.#allocator.release(each);
    const releasedAt = performance.now();
    const each = 1_000 / sizes.length;
    return {
      given,
      allocate: (allocatedAt - startedAt) * each,
      release: (releasedAt - releaseStartedAt) * each,
      processor: user + system,
    };
  }
}

/** Microseconds beyond which it does not matter that the clock of a thread's processor time advances in steps. */
const clockSteps = 30_000;
const comparedPlaces = 3;
const quick = { batches: 50, atOnce: 100 };
const plain = { firstOf: ({ first }: Block) => first };

const [manyBlocks, fewBlocks] = [scatteredBlocks(many), scatteredBlocks(few)];
const ours = ourContestant(ipv4, manyBlocks);
const oursWithFew = ourContestant(ipv4, fewBlocks);
const oursInIpv6 = ourContestant(ipv6, manyBlocks);
const bitmap = new Contestant(new BitmapPool(poolSize, manyBlocks), { ...plain, batches: 4, atOnce: 3 });
const sortedArray = new Contestant(new SortedArrayPool(poolSize, manyBlocks), { ...plain, batches: 10, atOnce: 20 });

for (let round = 0; round <= rounds; round++) {
  console.error(round === 0 ? "warming up ..." : `round ${round} of ${rounds} ...`);
  const sizes = mixedSizes(quick.batches * quick.atOnce, randomFrom(1_000 + round));
  oursWithFew.takeTurn(sizes);
  const places = [ours, bitmap, sortedArray].map((each) => each.takeTurn(sizes).join(" "));
  oursInIpv6.takeTurn(sizes);
  if (new Set(places).size !== 1)
    throw new Error(`the three implementations allocate different blocks: ${places.join(" / ")}`);
}

const memory = {
  ours: memoryOf(() => ourSpace(ipv4, manyBlocks)),
  bitmap: memoryOf(() => new BitmapPool(poolSize, manyBlocks)),
  sortedArray: memoryOf(() => new SortedArrayPool(poolSize, manyBlocks)),
};
const growth = ours.cost("allocate") / oursWithFew.cost("allocate");
const { total, allocated, fragmentationPercent } = ourSpace(ipv4, manyBlocks).usage();
const isCheap = growth <= mostTimesDearer;
printReport(
  "ipam",
  [
    ...rates("bitmap", bitmap),
    { name: "memory, bitmap", unit: "MiB", better: "lower", ours: memory.ours, baseline: memory.bitmap },
    ...rates("sorted array", sortedArray),
    { name: "memory, sorted array", unit: "MiB", better: "lower", ours: memory.ours, baseline: memory.sortedArray },
    {
      name: `one allocation at ${many} against ${few}`,
      unit: "µs",
      better: "lower",
      ours: ours.cost("allocate"),
      baseline: oursWithFew.cost("allocate"),
    },
    {
      name: "one allocation in an IPv6 /48 against a /8",
      unit: "µs",
      better: "lower",
      ours: oursInIpv6.cost("allocate"),
      baseline: ours.cost("allocate"),
    },
  ],
  {
    rounds,
    addresses: Number(total),
    allocations: many,
    "free runs": Iterator.from(ourSpace(ipv4, manyBlocks).freeRanges()).toArray().length,
    "percent taken": Math.round((Number(allocated) * 100) / Number(total)),
    "percent fragmented": fragmentationPercent,
    "milliseconds to read all allocations": millisecondsOf(() => ourSpace(ipv4, manyBlocks)),
    [`at most ${mostTimesDearer} times dearer at ${many}`]: isCheap,
  },
);
if (!isCheap) process.exitCode = 1;

function rates(name: string, baseline: Contestant<Block>): Figure[] {
  return (["allocate", "release"] as const).map((what) => ({
    name: `${what}, ${name}`,
    unit: "/s",
    better: "higher",
    ours: 1e6 / ours.cost(what),
    baseline: 1e6 / baseline.cost(what),
  }));
}

function ourContestant(shape: PoolShape, blocks: readonly Block[]): Contestant<IpRange> {
  const space = ourSpace(shape, blocks);
  const allocator = {
    allocate: (count: number) => space.allocate(BigInt(count)),
    release: (range: IpRange) => space.release(range),
  };
  return new Contestant(allocator, { ...quick, firstOf: ({ first }) => Number(first - shape.network.first) });
}

function ourSpace({ network, ...shape }: PoolShape, blocks: readonly Block[]): AddressSpace {
  const { family, first: base } = network;
  const taken = blocks.map(({ first, count }) => {
    const start = base + BigInt(first);
    return { family, first: start, last: start + BigInt(count) - 1n };
  });
  return AddressSpace.of({ network, ...shape }, taken);
}

/** Blocks as they stand after twice as many were given and every other one, by chance, was given back. */
function scatteredBlocks(count: number): Block[] {
  const random = randomFrom(count);
  let next = 0;
  const blocks = mixedSizes(2 * count, random).map((size) => {
    const first = next;
    next += size;
    return { first, count: size };
  });
  for (let at = blocks.length - 1; at > 0; at--) {
    const other = random(at + 1);
    [blocks[at], blocks[other]] = [required(blocks[other]), required(blocks[at])];
  }
  return blocks.slice(0, count);
}

/** From 1 to 256 addresses, small ones more often than large ones. */
function mixedSizes(count: number, random: (below: number) => number): number[] {
  return Array.from({ length: count }, () => 1 + random(2 ** (1 + random(8))));
}

/** The same numbers for the same seed (Marsaglia's xorshift of 32 bits). */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/** The least of several, in milliseconds. */
function millisecondsOf(work: () => unknown): number {
  const samples = Array.from({ length: 5 }, () => {
    const startedAt = performance.now();
    work();
    return performance.now() - startedAt;
  });
  return Math.round(Math.min(...samples));
}

/** Mebibytes that go when what was made goes: the median of several. */
function memoryOf(make: () => unknown): number {
  const held = (): number => {
    globalThis.gc?.();
    globalThis.gc?.();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const samples = Array.from({ length: 5 }, () => {
    let made: unknown = make();
    const withIt = held();
    if (made === undefined) throw new Error("nothing was created");
    made = undefined;
    return (withIt - held()) / 2 ** 20;
  });
  return quantile(samples, 0.5);
}

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error("the pool has no room for a block of the benchmark");
  return value;
}
