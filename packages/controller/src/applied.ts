import { createHash } from "node:crypto";
import type { KubeObject } from "@butler/resource";
import { deepEqual, isRecord, stableStringify } from "@butler/std";

const annotationPrefix = "applied.butler.butlerlabs.dev/";

/** The annotation in which a controller notes what it last applied to an object. */
export function appliedAnnotation(controller: string): string {
  return `${annotationPrefix}${controller}`;
}

/** Plans are plain data that nobody changes, so the digest of one need be worked out only once. */
const digests = new WeakMap<object, string>();

/** A short digest of a desired object, or of anything else that is plain data. */
export function digestOf(value: unknown): string {
  const known = isRecordOrList(value) ? digests.get(value) : undefined;
  if (known !== undefined) return known;
  const digest = createHash("sha256").update(stableStringify(value)).digest("hex").slice(0, 16);
  if (isRecordOrList(value)) digests.set(value, digest);
  return digest;
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
  // The API server drops empty maps and lists on the way in: stating one asks for nothing.
  if (actual === undefined && isRecordOrList(wanted))
    return Object.values(wanted).every((value) => value === undefined);
  if (Array.isArray(wanted)) return Array.isArray(actual) && coversList(actual, wanted);
  if (isRecord(wanted)) {
    return isRecord(actual) && Object.entries(wanted).every(([key, value]) => covers(actual[key], value));
  }
  return deepEqual(actual, wanted) || (actual === undefined && wanted === null);
}

function isRecordOrList(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/**
 * Lists of named things may come in any order; all other lists are compared item by item. An item too many is a
 * difference: in a list that Kubernetes replaces whole (the subjects of a RoleBinding) it must go, and in one that it
 * merges (containers) the memory below keeps it from being fought over.
 */
function coversList(actual: readonly unknown[], wanted: readonly unknown[]): boolean {
  if (actual.length !== wanted.length) return false;
  if (!wanted.every(hasName)) return wanted.every((item, at) => covers(actual[at], item));
  const free = [...actual];
  return wanted.every((item) => {
    const at = free.findIndex((candidate) => covers(candidate, item));
    if (at >= 0) free.splice(at, 1);
    return at >= 0;
  });
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
  const stated = Object.entries(wanted).filter(([, value]) => value !== undefined);
  return Object.fromEntries(stated.map(([key, value]) => [key, project(actual[key], value)]));
}

/**
 * Remembers how the server writes down what was applied. Some values come back in another form (`1000m` as `1`), and
 * comparing with the stated form would then never match. Lost on restart, which costs one needless write per object.
 */
export class AppliedMemory {
  readonly #byUid = new Map<string, { readonly digest: string; readonly form: unknown }>();

  /** Takes note of the answer to an apply. Where the server kept the stated form there is nothing to remember. */
  remember(desired: KubeObject, answer: KubeObject): void {
    const { uid } = answer.metadata;
    if (uid === undefined) return;
    if (covers(answer, desired)) this.#byUid.delete(uid);
    else this.#byUid.set(uid, { digest: digestOf(desired), form: project(answer, desired) });
  }

  /** Whether the live object still has, in the server's own words, what this desired object turned into. */
  matches(live: KubeObject, desired: KubeObject): boolean {
    const remembered = this.#byUid.get(live.metadata.uid ?? "");
    if (remembered === undefined || remembered.digest !== digestOf(desired)) return false;
    return hasNote(live, remembered.digest) && deepEqual(project(live, desired), remembered.form);
  }

  forget(uid: string | undefined): void {
    if (uid !== undefined) this.#byUid.delete(uid);
  }
}

/** Whether the digest was the last to be noted: another instance may have applied more since, which must go again. */
function hasNote({ metadata }: KubeObject, digest: string): boolean {
  const notes = Object.entries(metadata.annotations ?? {});
  return notes.some(([name, value]) => name.startsWith(annotationPrefix) && value === digest);
}
