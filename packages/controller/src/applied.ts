import { createHash } from "node:crypto";
import type { KubeObject } from "@butler/resource";
import { deepEqual, isRecord, stableStringify } from "@butler/std";

const annotationPrefix = "applied.butler.butlerlabs.dev/";

/** The annotation in which a controller records what it last applied to an object. */
export function appliedAnnotation(controller: string): string {
  return `${annotationPrefix}${controller}`;
}

/** Plans are immutable plain data, so a digest is computed only once. */
const digests = new WeakMap<object, string>();

/** A short digest of a desired object, or of any other plain data. */
export function digestOf(value: unknown): string {
  const known = isRecordOrList(value) ? digests.get(value) : undefined;
  if (known !== undefined) return known;
  const digest = createHash("sha256").update(stableStringify(value)).digest("hex").slice(0, 16);
  if (isRecordOrList(value)) digests.set(value, digest);
  return digest;
}

/** The desired object with its own digest as an annotation, ready to be applied. */
export function withAppliedNote<T extends KubeObject>(desired: T, controller: string): T {
  const annotations = { ...desired.metadata.annotations, [appliedAnnotation(controller)]: digestOf(desired) };
  return { ...desired, metadata: { ...desired.metadata, annotations } };
}

/**
 * Whether applying `desired` would change nothing: the annotation says that exactly this was applied last, and every
 * stated value is present. The annotation detects fields that are no longer stated; the comparison detects drift.
 */
export function isApplied(live: KubeObject, desired: KubeObject, controller: string): boolean {
  if (live.metadata.annotations?.[appliedAnnotation(controller)] !== digestOf(desired)) return false;
  return covers(live, desired);
}

/** Whether every value stated in `wanted` is in `actual`; further fields in `actual` do not matter. */
export function covers(actual: unknown, wanted: unknown): boolean {
  if (wanted === undefined) return true;
  // The API server drops empty maps and lists on write, so stating one has no effect.
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
 * Lists of named items may be in any order; all other lists are compared item by item. An extra item is a
 * difference: in a list that Kubernetes replaces as a whole (the subjects of a RoleBinding) it must be removed; in one
 * that it merges (containers) AppliedMemory prevents a fight over it.
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

/** The part of `actual` that `wanted` states: the server's form of an applied `wanted`. */
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
 * Remembers the server's form of what was applied. The server normalizes some values (`1000m` to `1`), and
 * comparing with the stated form would then never match. Lost on restart, which costs one extra write per object.
 */
export class AppliedMemory {
  readonly #byUid = new Map<string, { readonly digest: string; readonly form: unknown }>();

  /** Records the response to an apply. Nothing is stored when the server kept the stated form. */
  remember(desired: KubeObject, answer: KubeObject): void {
    const { uid } = answer.metadata;
    if (uid === undefined) return;
    if (covers(answer, desired)) this.#byUid.delete(uid);
    else this.#byUid.set(uid, { digest: digestOf(desired), form: project(answer, desired) });
  }

  /** Whether the live object still has the server's form of this desired object. */
  matches(live: KubeObject, desired: KubeObject): boolean {
    const remembered = this.#byUid.get(live.metadata.uid ?? "");
    if (remembered === undefined || remembered.digest !== digestOf(desired)) return false;
    return hasNote(live, remembered.digest) && deepEqual(project(live, desired), remembered.form);
  }

  forget(uid: string | undefined): void {
    if (uid !== undefined) this.#byUid.delete(uid);
  }
}

/** Whether the digest is the last recorded one: another instance may have applied more since, which must be removed. */
function hasNote({ metadata }: KubeObject, digest: string): boolean {
  const notes = Object.entries(metadata.annotations ?? {});
  return notes.some(([name, value]) => name.startsWith(annotationPrefix) && value === digest);
}
