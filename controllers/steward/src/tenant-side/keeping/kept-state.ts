import { digestOf } from "@butler/controller";
import { versionOf } from "@butler/kube";
import type { KubeObject } from "@butler/resource";
import { isStillVerified, type Verified, verifiedAs } from "./drift.ts";
import { catalog, idOf } from "./tenant-catalog.ts";

/**
 * The state of the named objects of one tenant: which are desired, which were last observed, and which of those are
 * verified. Other objects of the tenant use no memory here.
 */
export class KeptState {
  readonly #desired = new Map<string, KubeObject>();
  readonly #verified = new Map<string, Verified>();
  /** The version of each object that existed when last observed. */
  readonly #seen = new Map<string, bigint>();

  /** The number of entries. */
  get size(): number {
    return this.#desired.size + this.#verified.size + this.#seen.size;
  }

  /** Sets the desired objects. */
  want(objects: readonly KubeObject[]): void {
    this.#desired.clear();
    for (const object of objects) this.#desired.set(idOf(object), object);
  }

  /** The desired object; undefined when it is not desired. */
  wanted(id: string): KubeObject | undefined {
    return this.#desired.get(id);
  }

  get wantedObjects(): readonly KubeObject[] {
    return [...this.#desired.values()];
  }

  /** Whether an object existed when last observed. */
  isSeen(id: string): boolean {
    return this.#seen.has(id);
  }

  /** What has to be checked: objects that may differ, and those to delete. */
  get toDo(): string[] {
    const unsure = [...this.#desired.keys()].filter((id) => this.isUnsure(id));
    const retired = [...this.#seen.keys()].filter((id) => !this.#desired.has(id));
    return [...unsure, ...retired];
  }

  /** Whether an object is desired and not verified. */
  isUnsure(id: string): boolean {
    const desired = this.#desired.get(id);
    return desired !== undefined && this.#verified.get(id)?.digest !== digestOf(desired);
  }

  /** Records an existing object, with at least its metadata; true when it has to be checked. */
  noteSeen(id: string, seen: KubeObject): boolean {
    const desired = this.#desired.get(id);
    if (desired === undefined && !catalog.has(id)) return false;
    this.#seen.set(id, versionOf(seen));
    if (desired === undefined || isStillVerified(desired, this.#verified.get(id), seen)) return false;
    this.#verified.delete(id);
    return true;
  }

  /** Records that an object was deleted at a version; true when it has to be checked. */
  noteEnd(id: string, version: bigint): boolean {
    // The deletion of a predecessor: the object was recreated since.
    if ((this.#seen.get(id) ?? 0n) > version) return false;
    this.#seen.delete(id);
    this.#verified.delete(id);
    return this.#desired.has(id);
  }

  /** Records a complete list of a kind at a version; returns the deleted objects that have to be checked. */
  noteList(kind: string, present: ReadonlySet<string>, version: bigint): string[] {
    const missing = [...this.#seen.keys()].filter((id) => id.startsWith(`${kind} `) && !present.has(id));
    return missing.filter((id) => this.noteEnd(id, version));
  }

  /** Records that an object was found or written as desired. */
  noteVerified(id: string, desired: KubeObject, live: KubeObject): void {
    this.#seen.set(id, versionOf(live));
    this.#verified.set(id, verifiedAs(desired, live));
  }

  /** Forgets an object that is no longer desired and was handled. */
  forget(id: string): void {
    this.#seen.delete(id);
    this.#verified.delete(id);
  }
}
