/** Serializes concurrent tasks with the same key. */
export class OneAtATime {
  readonly #last = new Map<string, Promise<void>>();

  /** Runs a task after all earlier tasks with the same key. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last.set(key, promise);
    try {
      await before;
      return await work();
    } finally {
      resolve();
      if (this.#last.get(key) === promise) this.#last.delete(key);
    }
  }
}
