/** Limits the number of concurrent operations; the others are queued. */
export class Gate {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(width: number) {
    this.#free = width;
  }

  /** Runs the operation as soon as there is capacity. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}

/** Processes every item with limited concurrency, and returns the results in the order of the items. */
export async function mapBounded<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const left = items.entries();
  let isOver = false;
  const lane = async (): Promise<void> => {
    for (const [at, item] of left) {
      // After a failure the others finish their current item and start no further one.
      if (isOver) return;
      results[at] = await work(item);
    }
  };
  const guarded = (): Promise<void> =>
    lane().catch((error: unknown) => {
      isOver = true;
      throw error;
    });
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, guarded));
  return results;
}
