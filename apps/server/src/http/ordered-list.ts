import { comparePositions, type ListShape, type Placed, placeOf } from "./listing.ts";

/**
 * Entries of a list in every requested sort order, kept sorted as they change: a page of many entries then costs no
 * more than a binary search for its start.
 */
export class OrderedList<T> {
  readonly #shape: ListShape<T>;
  readonly #items = new Map<string, T>();
  readonly #orders = new Map<string, Placed<T>[]>();

  constructor(shape: ListShape<T>) {
    this.#shape = shape;
  }

  /** Adds an entry, or replaces the one with the same id. */
  put(item: T): void {
    const id = this.#shape.id(item);
    const before = this.#items.get(id);
    this.#items.set(id, item);
    for (const [key, order] of this.#orders) {
      if (before !== undefined) this.#cutOut(order, before, key);
      const placed = { item, at: placeOf(item, key, this.#shape) };
      order.splice(indexOf(order, placed.at), 0, placed);
    }
  }

  /** Removes the entry with this id. */
  remove(item: T): void {
    const id = this.#shape.id(item);
    const before = this.#items.get(id);
    if (before === undefined) return;
    this.#items.delete(id);
    for (const [key, order] of this.#orders) this.#cutOut(order, before, key);
  }

  /** All entries by a key of the list, in ascending order. Must be read synchronously: it changes with the entries. */
  by(key: string): readonly Placed<T>[] {
    const known = this.#orders.get(key);
    if (known !== undefined) return known;
    const order = [...this.#items.values()].map((item) => ({ item, at: placeOf(item, key, this.#shape) }));
    order.sort(({ at: left }, { at: right }) => comparePositions(left, right));
    // Callers can only name the keys of the list; otherwise memory could grow without bounds.
    if (key in this.#shape.sortBy) this.#orders.set(key, order);
    return order;
  }

  #cutOut(order: Placed<T>[], item: T, key: string): void {
    const index = indexOf(order, placeOf(item, key, this.#shape));
    if (order[index]?.item === item) order.splice(index, 1);
  }
}

/** Where a position is, or would be. */
function indexOf<T>(order: readonly Placed<T>[], at: Placed<T>["at"]): number {
  let [from, to] = [0, order.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    const entry = order[middle];
    if (entry !== undefined && comparePositions(entry.at, at) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}
