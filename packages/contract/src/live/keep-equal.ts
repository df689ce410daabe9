import { isRecord } from "@butler/std";

/**
 * The new value, with every unchanged part taken from the old one. Most of an object stays the same in an update: this
 * saves memory, and comparisons of parts by reference find them equal.
 */
export function keepEqual(before: unknown, after: unknown): unknown {
  if (Object.is(before, after)) return before;
  if (Array.isArray(before) && Array.isArray(after)) {
    const kept = after.map((part, at) => keepEqual(before[at], part));
    return kept.length === before.length && kept.every((part, at) => Object.is(part, before[at])) ? before : kept;
  }
  if (!isRecord(before) || !isRecord(after)) return after;
  const names = Object.keys(after);
  const was = (name: string): unknown => (Object.hasOwn(before, name) ? before[name] : undefined);
  const kept = Object.fromEntries(names.map((name) => [name, keepEqual(was(name), after[name])]));
  const isSame = names.length === Object.keys(before).length && names.every((name) => isKept(before, kept, name));
  return isSame ? before : kept;
}

function isKept(before: object, kept: Readonly<Record<string, unknown>>, name: string): boolean {
  return Object.hasOwn(before, name) && Object.is((before as Readonly<Record<string, unknown>>)[name], kept[name]);
}
