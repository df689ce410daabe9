/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };

/** An object of unchecked content, as parsed from JSON or YAML. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is an object with string keys, not an array and not null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Equality of JSON values. A key whose value is undefined counts as absent, as in serialized JSON. */
export function deepEqual(left: unknown, right: unknown): boolean {
  if (left === right || Object.is(left, right)) return true;
  if (Array.isArray(left)) {
    return Array.isArray(right) && left.length === right.length && left.every((item, at) => deepEqual(item, right[at]));
  }
  if (!isRecord(left) || !isRecord(right)) return false;
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  for (const key of keys) if (!deepEqual(ownValue(left, key), ownValue(right, key))) return false;
  return true;
}

/** Ignores inherited properties, such as `constructor`. */
function ownValue(record: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/**
 * The value at a path, or undefined where there is none. A path is its steps, of which a number counts into a list, or
 * text such as `workers.machineTemplate.cpu`. Inherited properties are ignored, because paths can come from users.
 */
export function valueAt(value: unknown, path: string | readonly (string | number)[]): unknown {
  const steps = typeof path === "string" ? path.split(".") : path;
  return steps.reduce((found, step) => {
    if (typeof step === "number") return Array.isArray(found) ? (found[step] as unknown) : undefined;
    return isRecord(found) ? ownValue(found, step) : undefined;
  }, value);
}

/** Freezes a JSON value deeply and returns it; frozen values are not traversed again. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const key in value) deepFreeze(value[key]);
  return value;
}

/** JSON text with sorted keys: equal values give equal text. */
export function stableStringify(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isRecord(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}
