import { digestOf } from "@butler/controller";
import { versionOf } from "@butler/kube";
import type { KubeObject } from "@butler/resource";
import { isStillVerified, type Verified, verifiedAs } from "./drift.ts";
import { catalogue, idOf } from "./tenant-catalogue.ts";

/**
 * What is known of the named objects of one tenant: which are wanted, which were last seen there, and which of those
 * are known to be as wanted. Whatever else the tenant contains leaves no trace here.
 */
export class KeptState {
  readonly #desired = new Map<string, KubeObject>();
  readonly #verified = new Map<string, Verified>();
  /** The version of each object that was there when last heard of. */
  readonly #seen = new Map<string, bigint>();

  /** How many entries it holds. */
  get size(): number {
    return this.#desired.size + this.#verified.size + this.#seen.size;
  }

  /** Says which objects are wanted from now on. */
  want(objects: readonly KubeObject[]): void {
    this.#desired.clear();
    for (const object of objects) this.#desired.set(idOf(object), object);
  }

  /** The object as it is wanted; undefined when it is not. */
  wanted(id: string): KubeObject | undefined {
    return this.#desired.get(id);
  }

  get wantedObjects(): readonly KubeObject[] {
    return [...this.#desired.values()];
  }

  /** Whether an object was there when last heard of. */
  isSeen(id: string): boolean {
    return this.#seen.has(id);
  }

  /** What has to be looked at so that all is as wanted: objects that may differ, and those that must go. */
  get toDo(): string[] {
    const unsure = [...this.#desired.keys()].filter((id) => this.isUnsure(id));
    const retired = [...this.#seen.keys()].filter((id) => !this.#desired.has(id));
    return [...unsure, ...retired];
  }

  /** Whether an object is wanted and not known to be as wanted. */
  isUnsure(id: string): boolean {
    const desired = this.#desired.get(id);
    return desired !== undefined && this.#verified.get(id)?.digest !== digestOf(desired);
  }

  /** Takes in that an object is there, with at least its metadata; true when it has to be looked at. */
  noteSeen(id: string, seen: KubeObject): boolean {
    const desired = this.#desired.get(id);
    if (desired === undefined && !catalogue.has(id)) return false;
    this.#seen.set(id, versionOf(seen));
    if (desired === undefined || isStillVerified(desired, this.#verified.get(id), seen)) return false;
    this.#verified.delete(id);
    return true;
  }

  /** Takes in that an object was gone at a version; true when it has to be looked at. */
  noteEnd(id: string, version: bigint): boolean {
    // News of the end of a predecessor: it has been made again since.
    if ((this.#seen.get(id) ?? 0n) > version) return false;
    this.#seen.delete(id);
    this.#verified.delete(id);
    return this.#desired.has(id);
  }

  /** Takes in a complete list of a kind at a version; gives those that have ended and have to be looked at. */
  noteList(kind: string, present: ReadonlySet<string>, version: bigint): string[] {
    const missing = [...this.#seen.keys()].filter((id) => id.startsWith(`${kind} `) && !present.has(id));
    return missing.filter((id) => this.noteEnd(id, version));
  }

  /** Takes in that an object was found, or written, as wanted. */
  noteVerified(id: string, desired: KubeObject, live: KubeObject): void {
    this.#seen.set(id, versionOf(live));
    this.#verified.set(id, verifiedAs(desired, live));
  }

  /** Forgets an object that is not wanted and has been dealt with. */
  forget(id: string): void {
    this.#seen.delete(id);
    this.#verified.delete(id);
  }
}
