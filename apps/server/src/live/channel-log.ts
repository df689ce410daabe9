import type { ItemFacts, LiveItem } from "./live-item.ts";

/**
 * One change of a channel. What came of it is not kept here, since only the latest state of an object is ever told;
 * where the object was before is, for those who could see it there.
 */
export interface Change {
  readonly key: string;
  readonly before: ItemFacts | undefined;
}

/** What somebody has to be told to get from one moment to another. */
export interface Delta {
  readonly changed: readonly LiveItem[];
  readonly removed: readonly string[];
}

/**
 * The objects of one channel and its latest changes, numbered. Whoever has missed no more than these can be told what
 * has changed since; everybody else needs everything anew.
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

  /** What has to be told to somebody who sees some objects and knows all until then; undefined when too long ago. */
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
      // Nobody learns the name of what they could not see.
      else if (before !== undefined && isSeen(before)) removed.push(key);
    }
    return { changed, removed };
  }

  #note(key: string, item: LiveItem | undefined): void {
    this.#changes.push({ key, before: item && factsOf(item) });
    this.#position++;
    // Cut seldom and by half, so that it costs next to nothing per change.
    if (this.#changes.length > this.#capacity * 2) this.#changes = this.#changes.slice(-this.#capacity);
    this.#onChange();
  }
}

/** What is known of an object, without the object. */
function factsOf({ key, team, namespace, cluster }: LiveItem): ItemFacts {
  return { key, team, namespace, cluster };
}
