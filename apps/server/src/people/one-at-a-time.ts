/** Lets those who want the same thing at the same moment do it one after the other. */
export class OneAtATime {
  readonly #last = new Map<string, Promise<void>>();

  /** Runs when everybody who came before for the same key is done. */
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
