import { apiVersionOf, type DynamicObject, type Kind, type ObjectMeta } from "@butler/resource";
import { isRecord } from "@butler/std";

/** An object as it is sent to the API server. */
export function newObject(kind: Kind, metadata: ObjectMeta, body: Readonly<Record<string, unknown>>): DynamicObject {
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, ...body };
}

/** The merge patch that replaces one value with another: fields that only the former has are removed. */
export function replacement(before: unknown, after: unknown): unknown {
  if (!isRecord(before) || !isRecord(after)) return after;
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  const kept = Object.entries(after).map(([key, value]) => [key, replacement(before[key], value)]);
  return { ...Object.fromEntries(gone.map((key) => [key, null])), ...Object.fromEntries(kept) };
}
