import { deepEqual, isRecord } from "@butler/std";

/** A changed field; before or after is absent for a missing field, and both are absent for secret values. */
export interface FieldChange {
  /** Such as `spec.template.spec.containers[web].image`; list items are named if all of them have names. */
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** The smallest differing fields of two values, sorted by path. */
export function diffValues(before: unknown, after: unknown, path = ""): FieldChange[] {
  if (deepEqual(before, after)) return [];
  if (isRecord(before) && isRecord(after)) return diffRecords(before, after, path);
  if (Array.isArray(before) && Array.isArray(after)) {
    return diffRecords(itemsOf(before, after), itemsOf(after, before), path);
  }
  return [changeOf(path, before, after)];
}

function changeOf(path: string, before: unknown, after: unknown): FieldChange {
  return {
    path,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  };
}

type Fields = Readonly<Record<string, unknown>>;

function diffRecords(before: Fields, after: Fields, path: string): FieldChange[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.flatMap((key) => diffValues(ownValue(before, key), ownValue(after, key), join(path, key)));
}

function ownValue(fields: Fields, key: string): unknown {
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}

/** A list as fields: by the names of its items where both lists have one for each, and by number otherwise. */
function itemsOf(list: readonly unknown[], other: readonly unknown[]): Fields {
  const keyOf = namesOf(list) !== undefined && namesOf(other) !== undefined ? namesOf(list) : undefined;
  return Object.fromEntries(list.map((item, at) => [`[${keyOf?.[at] ?? at}]`, item]));
}

function namesOf(list: readonly unknown[]): string[] | undefined {
  const names = list.map((item) => (isRecord(item) && typeof item["name"] === "string" ? item["name"] : undefined));
  const known = names.filter((name) => name !== undefined);
  return known.length === list.length && new Set(known).size === list.length ? known : undefined;
}

/** Quotes keys with dots, such as those of annotations. */
function join(path: string, key: string): string {
  if (/^\[.*\]$/.test(key)) return `${path}${key}`;
  const word = /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
  return path === "" ? word : `${path}.${word}`;
}
