import pLimit from "p-limit";

/** Processes every item with limited concurrency, and returns the results in the order of the items. */
export function mapBounded<T, R>(items: readonly T[], width: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const limit = pLimit(width);
  return limit.map(items, async (item) => {
    try {
      return await work(item);
    } catch (error) {
      // After a failure the others finish their current item and start no further one.
      limit.clearQueue();
      throw error;
    }
  });
}
