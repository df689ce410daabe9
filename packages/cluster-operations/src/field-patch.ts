/** An operation of a JSON patch (RFC 6902). */
export interface FieldChange {
  readonly op: "test" | "add" | "remove";
  readonly path: string;
  readonly value?: unknown;
}

/** A JSON patch. The API server applies all operations or, if a test fails, none. */
export type JsonPatch = readonly FieldChange[];

/**
 * Changes one field, provided that it still has the value in `object`. Undefined removes it. Other fields, such as the
 * status, may change in the meantime: unlike a resource version, the test does not conflict with them.
 */
export function changeField(object: unknown, path: readonly string[], value: unknown): JsonPatch {
  const operations = setField(object, path, value);
  // A missing parent is tested by the operations that create it.
  const isTested = operations[0]?.op === "test";
  return isTested
    ? operations
    : [{ op: "test", path: pointer(path), value: valueAt(object, path) ?? null }, ...operations];
}

/** Sets a field, whatever its value. Creates missing parents, and undefined removes the field. */
export function setField(object: unknown, path: readonly string[], value: unknown): JsonPatch {
  const missing = path.findIndex((_key, at) => valueAt(object, path.slice(0, at + 1)) === undefined);
  if (value === undefined) return missing === -1 ? [{ op: "remove", path: pointer(path) }] : [];
  if (missing === -1 || missing === path.length - 1) return [{ op: "add", path: pointer(path), value }];
  const parent = pointer(path.slice(0, missing + 1));
  const nested = path.slice(missing + 1).reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  // Without the test, a parent that another client created in the meantime would be replaced.
  return [
    { op: "test", path: parent, value: null },
    { op: "add", path: parent, value: nested },
  ];
}

function valueAt(object: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, key)
        ? (value as Readonly<Record<string, unknown>>)[key]
        : undefined,
    object,
  );
}

/** A JSON pointer (RFC 6901), in which ~1 stands for a slash and ~0 for a tilde. */
function pointer(path: readonly string[]): string {
  return path.map((key) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
