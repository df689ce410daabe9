import { createHash } from "node:crypto";
import type { KubeObject } from "@butler/resource";
import { deepEqual, isRecord, stableStringify } from "@butler/std";

const annotationPrefix = "applied.butler.butlerlabs.dev/";

/** The annotation in which a controller notes what it last applied to an object. */
export function appliedAnnotation(controller: string): string {
  return `${annotationPrefix}${controller}`;
}

/** A short digest of a desired object. */
export function digestOf(desired: KubeObject): string {
  return createHash("sha256").update(stableStringify(desired)).digest("hex").slice(0, 16);
}

/** The desired object with the note of its own digest, ready to be applied. */
export function withAppliedNote<T extends KubeObject>(desired: T, controller: string): T {
  const annotations = { ...desired.metadata.annotations, [appliedAnnotation(controller)]: digestOf(desired) };
  return { ...desired, metadata: { ...desired.metadata, annotations } };
}

/**
 * Whether applying `desired` would change nothing: the note says that just this was applied last, and every stated value
 * is still there. The note catches fields that are no longer stated; the comparison catches what others changed.
 */
export function isApplied(live: KubeObject, desired: KubeObject, controller: string): boolean {
  if (live.metadata.annotations?.[appliedAnnotation(controller)] !== digestOf(desired)) return false;
  return covers(live, desired);
}

/** Whether every value stated in `wanted` is in `actual`; what `actual` has beyond that does not matter. */
export function covers(actual: unknown, wanted: unknown): boolean {
  if (wanted === undefined) return true;
  if (Array.isArray(wanted)) return Array.isArray(actual) && coversList(actual, wanted);
  if (isRecord(wanted)) {
    // The API server drops empty maps and lists on the way in: stating one asks for nothing.
    if (actual === undefined) return Object.values(wanted).every((value) => value === undefined);
    return isRecord(actual) && Object.entries(wanted).every(([key, value]) => covers(actual[key], value));
  }
  return deepEqual(actual, wanted) || (actual === undefined && wanted === null);
}

/** Lists of named things are compared by name, since others may add to them; all other lists item by item. */
function coversList(actual: readonly unknown[], wanted: readonly unknown[]): boolean {
  if (wanted.length > 0 && wanted.every(hasName)) {
    return wanted.every((item) => {
      const namesake = actual.find((candidate) => hasName(candidate) && candidate.name === item.name);
      return namesake !== undefined && covers(namesake, item);
    });
  }
  return actual.length === wanted.length && wanted.every((item, at) => covers(actual[at], item));
}

function hasName(value: unknown): value is { readonly name: string } {
  return isRecord(value) && typeof value["name"] === "string";
}

/** The part of `actual` that `wanted` speaks about: what an apply of `wanted` turned into on the server. */
export function project(actual: unknown, wanted: unknown): unknown {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(actual) || actual.length !== wanted.length) return actual;
    return wanted.map((item, at) => project(actual[at], item));
  }
  if (!isRecord(wanted) || !isRecord(actual)) return actual;
  return Object.fromEntries(Object.entries(wanted).map(([key, value]) => [key, project(actual[key], value)]));
}

/**
 * Remembers how the server writes down what was applied. Some values come back in another form (`1000m` as `1`), and
 * comparing with the stated form would then never match. Lost on restart, which costs one needless write per object.
 */
export class AppliedMemory {
  readonly #byUid = new Map<string, { readonly digest: string; readonly form: unknown }>();

  remember(desired: KubeObject, answer: KubeObject): void {
    const uid = answer.metadata.uid;
    if (uid !== undefined) this.#byUid.set(uid, { digest: digestOf(desired), form: bodyOf(answer, desired) });
  }

  /** Whether the live object still has, in the server's own words, what this desired object turned into. */
  matches(live: KubeObject, desired: KubeObject): boolean {
    const remembered = this.#byUid.get(live.metadata.uid ?? "");
    return remembered?.digest === digestOf(desired) && deepEqual(bodyOf(live, desired), remembered.form);
  }

  forget(uid: string | undefined): void {
    if (uid !== undefined) this.#byUid.delete(uid);
  }
}

function bodyOf(actual: KubeObject, desired: KubeObject): unknown {
  return project(actual, desired);
}
