import type { ItemFacts, LiveItem } from "./live-item.ts";

/**
 * One change of a channel. It does not contain the new state, since only the latest state of an object is ever sent,
 * but the previous facts, for clients that could see the object before.
 */
export interface Change {
  readonly key: string;
  readonly before: ItemFacts | undefined;
}

/** The changes that bring a client from one position to another. */
export interface Delta {
  readonly changed: readonly LiveItem[];
  readonly removed: readonly string[];
}

/**
 * The objects of one channel and its latest changes, numbered. A client that missed no more than these gets the changes
 * since then; all others need a new snapshot.
 */
export class ChannelLog {
  readonly #items = new Map<string, LiveItem>();
  readonly #capacity: number;
  readonly #onChange: () => void;
  #changes: Change[] = [];
  #position = 0;

  constructor(onChange: () => void = () => undefined, capacity = 5_000) {
    this.#onChange = onChange;
    this.#capacity = capacity;
  }

  /** The number of the last change. */
  get position(): number {
    return this.#position;
  }

  get size(): number {
    return this.#items.size;
  }

  values(): IterableIterator<LiveItem> {
    return this.#items.values();
  }

  get(key: string): LiveItem | undefined {
    return this.#items.get(key);
  }

  put(item: LiveItem): void {
    const before = this.#items.get(item.key);
    this.#items.set(item.key, item);
    this.#note(item.key, before);
  }

  remove(key: string): void {
    const before = this.#items.get(key);
    if (before === undefined) return;
    this.#items.delete(key);
    this.#note(key, before);
  }

  /** Whether all changes since then are known. */
  knowsSince(position: number): boolean {
    const missed = this.#position - position;
    return missed >= 0 && missed <= this.#changes.length;
  }

  /** The changes since a position for a client with the given visibility; undefined if the position is too old. */
  deltaSince(position: number, isSeen: (item: ItemFacts) => boolean): Delta | undefined {
    if (!this.knowsSince(position)) return undefined;
    const first = new Map<string, ItemFacts | undefined>();
    for (let at = this.#changes.length - (this.#position - position); at < this.#changes.length; at++) {
      const { key, before } = this.#changes[at] ?? { key: "", before: undefined };
      if (!first.has(key)) first.set(key, before);
    }
    const changed: LiveItem[] = [];
    const removed: string[] = [];
    for (const [key, before] of first) {
      const item = this.#items.get(key);
      if (item !== undefined && isSeen(item)) changed.push(item);
      // Do not reveal the names of objects that the client could not see.
      else if (before !== undefined && isSeen(before)) removed.push(key);
    }
    return { changed, removed };
  }

  #note(key: string, item: LiveItem | undefined): void {
    this.#changes.push({ key, before: item && factsOf(item) });
    this.#position++;
    // Truncated rarely and by half, so that the cost per change is negligible.
    if (this.#changes.length > this.#capacity * 2) this.#changes = this.#changes.slice(-this.#capacity);
    this.#onChange();
  }
}

/** Facts about an object, without the object. */
function factsOf({ key, team, namespace, cluster }: LiveItem): ItemFacts {
  return { key, team, namespace, cluster };
}
