import type { ManifestObject } from "@butler/object-health";

/** The objects of a manifest. */
export interface CachedObjects {
  /** The add-on. */
  readonly key: string;
  /** The cluster: each has a share of the cache. */
  readonly group: string;
  /** Identifies the revision. */
  readonly mark: string;
  readonly items: readonly ManifestObject[];
  /** Size of the manifest. */
  readonly size: number;
}

/** How much is cached, as the size of the manifests. The objects take several times that. */
export interface CacheSizes {
  readonly total: number;
  readonly perGroup: number;
}

const mebibyte = 1024 * 1024;
const usualSizes: CacheSizes = { total: 48 * mebibyte, perGroup: 8 * mebibyte };

/**
 * Keeps the objects of manifests between inspections, up to a size: a manifest that was evicted is read again when it is
 * needed. So a cluster with large manifests takes no memory from the others.
 */
export class ObjectCache {
  readonly #sizes: CacheSizes;
  /** The least recently used first. */
  readonly #cached = new Map<string, CachedObjects>();

  constructor(sizes: CacheSizes = usualSizes) {
    this.#sizes = sizes;
  }

  /** The objects of an add-on's revision, if cached. */
  get(key: string, mark: string): readonly ManifestObject[] | undefined {
    const found = this.#cached.get(key);
    if (found?.mark !== mark) return undefined;
    this.#cached.delete(key);
    this.#cached.set(key, found);
    return found.items;
  }

  /** Adds the objects of a revision, in place of the former one. */
  put(objects: CachedObjects): void {
    const { key, group, size } = objects;
    this.#cached.delete(key);
    if (size > this.#sizes.perGroup) return;
    this.#makeRoom((each) => each.group === group, this.#sizes.perGroup - size);
    this.#makeRoom(() => true, this.#sizes.total - size);
    this.#cached.set(key, objects);
  }

  forget(key: string): void {
    this.#cached.delete(key);
  }

  #makeRoom(isConcerned: (objects: CachedObjects) => boolean, room: number): void {
    const concerned = [...this.#cached.values()].filter(isConcerned);
    let size = concerned.reduce((sum, each) => sum + each.size, 0);
    for (const each of concerned) {
      if (size <= room) return;
      this.#cached.delete(each.key);
      size -= each.size;
    }
  }
}
