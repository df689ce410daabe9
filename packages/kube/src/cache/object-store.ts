import { keyOf, keyText, type KubeObject, type ObjectKey } from "@butler/resource";
import { deepFreeze, InvalidInput } from "@butler/std";

/** A change of an object, as delivered to listeners. */
export type StoreEvent<T> =
  | { readonly type: "add"; readonly object: T }
  | { readonly type: "update"; readonly object: T; readonly previous: T }
  | { readonly type: "delete"; readonly object: T };

/** The index values of an object. */
export type IndexFunction<T> = (object: T) => readonly string[];

/**
 * Objects of one kind by key, with indexes. Objects are frozen when they enter, so that any number of readers can share
 * them without copies. Decides which changes are events and which are echoes; independent of the network.
 *
 * Two sources feed it: the stream (list and watch), which is complete and in order, and answers to our own writes,
 * which may run ahead of the stream. A write is applied at once, so that a controller reads what it wrote; when the
 * stream catches up, the same version is not an event.
 */
export class ObjectStore<T extends KubeObject> {
  readonly #objects = new Map<string, T>();
  readonly #indexes = new Map<string, { readonly of: IndexFunction<T>; readonly entries: Map<string, Set<string>> }>();
  /** Versions of our own writes that the stream has not reached yet. */
  readonly #ahead = new Map<string, bigint>();
  /** The version that the stream has reached. */
  #streamVersion = 0n;

  get size(): number {
    return this.#objects.size;
  }

  get(key: ObjectKey): T | undefined {
    return this.#objects.get(keyText(key));
  }

  /** All objects, in no particular order. */
  values(): IterableIterator<T> {
    return this.#objects.values();
  }

  /** Adds an index, or does nothing when the name exists. */
  addIndex(name: string, of: IndexFunction<T>): void {
    if (this.#indexes.has(name)) return;
    this.#indexes.set(name, { of, entries: new Map() });
    for (const [key, object] of this.#objects) this.#index(name, key, object);
  }

  /** The objects with an index value. */
  byIndex(name: string, value: string): T[] {
    const index = this.#indexes.get(name);
    if (index === undefined) throw new InvalidInput(`no index named ${name}`);
    const found: T[] = [];
    for (const key of index.entries.get(value) ?? []) {
      const object = this.#objects.get(key);
      if (object !== undefined) found.push(object);
    }
    return found;
  }

  /** Applies a watch event and returns the resulting changes. */
  receive(type: "ADDED" | "MODIFIED" | "DELETED", object: T): StoreEvent<T>[] {
    const key = keyText(keyOf(object));
    const version = versionOf(object);
    this.advance(version);
    const ahead = this.#ahead.get(key);
    if (ahead !== undefined) {
      if (version < ahead) return [];
      this.#ahead.delete(key);
    }
    return type === "DELETED" ? this.#remove(key, object) : this.#put(key, object);
  }

  /** Notes that the stream has reached a version. */
  advance(version: bigint): void {
    if (version > this.#streamVersion) this.#streamVersion = version;
  }

  /** Applies a complete list: what is missing from it was deleted, what has another version was modified. */
  replaceAll(objects: readonly T[], resourceVersion: string): StoreEvent<T>[] {
    const listVersion = BigInt(resourceVersion);
    // A list may be older than the stream after a restored backup: it is still authoritative.
    if (listVersion < this.#streamVersion) this.#ahead.clear();
    this.#streamVersion = listVersion;
    for (const [key, version] of this.#ahead) if (version <= listVersion) this.#ahead.delete(key);
    const events: StoreEvent<T>[] = [];
    const listed = new Set<string>();
    for (const object of objects) {
      const key = keyText(keyOf(object));
      listed.add(key);
      if (!this.#ahead.has(key)) events.push(...this.#put(key, object));
    }
    for (const [key, object] of this.#objects) {
      if (!listed.has(key) && !this.#ahead.has(key)) events.push(...this.#remove(key, object));
    }
    return events;
  }

  /** Removes everything: the kind is no longer served, so its objects are deleted. */
  clear(): StoreEvent<T>[] {
    this.#ahead.clear();
    return [...this.#objects].flatMap(([key, object]) => this.#remove(key, object));
  }

  /**
   * Applies the response to one of our writes. It is ignored when the stream is past it: the cache then holds the
   * result, or the object was deleted and must not reappear.
   */
  receiveWrite(object: T): StoreEvent<T>[] {
    const key = keyText(keyOf(object));
    const version = versionOf(object);
    const current = this.#objects.get(key);
    if (version <= this.#streamVersion || (current !== undefined && version <= versionOf(current))) return [];
    this.#ahead.set(key, version);
    return this.#put(key, object);
  }

  #put(key: string, incoming: T): StoreEvent<T>[] {
    const previous = this.#objects.get(key);
    const isSameObject = previous?.metadata.uid === incoming.metadata.uid;
    if (isSameObject && previous?.metadata.resourceVersion === incoming.metadata.resourceVersion) return [];
    const object = deepFreeze(incoming);
    if (previous !== undefined) this.#unindex(key, previous);
    this.#objects.set(key, object);
    for (const name of this.#indexes.keys()) this.#index(name, key, object);
    if (previous === undefined) return [{ type: "add", object }];
    if (isSameObject) return [{ type: "update", object, previous }];
    return [
      { type: "delete", object: previous },
      { type: "add", object },
    ];
  }

  #remove(key: string, last: T): StoreEvent<T>[] {
    const current = this.#objects.get(key);
    if (current === undefined) return [];
    this.#unindex(key, current);
    this.#objects.delete(key);
    return [{ type: "delete", object: deepFreeze(last) }];
  }

  #index(name: string, key: string, object: T): void {
    const index = this.#indexes.get(name);
    for (const value of index?.of(object) ?? []) {
      const keys = index?.entries.get(value);
      if (keys === undefined) index?.entries.set(value, new Set([key]));
      else keys.add(key);
    }
  }

  #unindex(key: string, object: T): void {
    for (const { of, entries } of this.#indexes.values()) {
      for (const value of of(object)) {
        const keys = entries.get(value);
        keys?.delete(key);
        if (keys?.size === 0) entries.delete(value);
      }
    }
  }
}

/** Resource versions are whole numbers that grow (Kubernetes API concepts, "Resource versions"). */
export function versionOf(object: KubeObject): bigint {
  return BigInt(object.metadata.resourceVersion ?? "0");
}
