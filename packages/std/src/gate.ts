/** Lets at most so many pieces of work run at once; the others wait in line. */
export class Gate {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(width: number) {
    this.#free = width;
  }

  /** Runs the work as soon as there is room for it. */
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

/** Does something with every item, at most so many at once, and gives the results in the order of the items. */
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
      // After a failure the others finish what they have begun and begin nothing more.
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
