/**
 * Remembers which control planes have nothing left in their store, until they are deleted. It is kept in memory only:
 * after a restart a store is cleaned once more, which changes nothing.
 */
export class CleanedStores {
  readonly #uids = new Set<string>();
  readonly #limit: number;

  constructor(limit = 10_000) {
    this.#limit = limit;
  }

  has(uid: string): boolean {
    return this.#uids.has(uid);
  }

  add(uid: string): void {
    this.#uids.add(uid);
    const [oldest] = this.#uids;
    if (this.#uids.size > this.#limit && oldest !== undefined) this.#uids.delete(oldest);
  }
}
