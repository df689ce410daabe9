import { deepEqual, isRecord } from "@butler/std";

/** A field in which the cluster differs from the chart. */
export interface Difference {
  readonly path: readonly string[];
  /** Undefined when the field is absent in the cluster. */
  readonly live: unknown;
  /** Undefined when the chart does not set the field. */
  readonly wanted: unknown;
}

/** Metadata that the server manages: no chart sets it, and it changes without user action. */
const serverNotes: ReadonlySet<string> = new Set([
  "managedFields",
  "resourceVersion",
  "generation",
  "uid",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "selfLink",
]);

/** Where two states of an object differ, apart from what the server and the controllers write into it. */
export function differencesBetween(live: object, wanted: object): readonly Difference[] {
  const found: Difference[] = [];
  compare({ live: stated(live), wanted: stated(wanted), path: [] }, found);
  return found;
}

function stated(object: object): Readonly<Record<string, unknown>> {
  const { status: _status, metadata, ...rest } = object as Readonly<Record<string, unknown>>;
  if (!isRecord(metadata)) return rest;
  const kept = Object.entries(metadata).filter(([key]) => !serverNotes.has(key));
  return { ...rest, metadata: Object.fromEntries(kept) };
}

function compare({ live, wanted, path }: Difference, found: Difference[]): void {
  if (deepEqual(live, wanted)) return;
  if (isRecord(live) && isRecord(wanted)) return compareMaps(live, wanted, { path, found });
  if (Array.isArray(live) && Array.isArray(wanted)) {
    const liveItems = itemsByName(live);
    const wantedItems = itemsByName(wanted);
    if (liveItems !== undefined && wantedItems !== undefined) {
      const before = found.length;
      compareMaps(liveItems, wantedItems, { path, found });
      // The same items in another order.
      if (found.length === before) found.push({ path, live, wanted });
      return;
    }
    if (live.length === wanted.length) {
      return compareMaps(itemsByIndex(live), itemsByIndex(wanted), { path, found });
    }
  }
  found.push({ path, live, wanted });
}

interface Place {
  readonly path: readonly string[];
  readonly found: Difference[];
}

function compareMaps(
  live: Readonly<Record<string, unknown>>,
  wanted: Readonly<Record<string, unknown>>,
  { path, found }: Place,
): void {
  for (const key of new Set([...Object.keys(live), ...Object.keys(wanted)])) {
    compare({ live: own(live, key), wanted: own(wanted, key), path: [...path, key] }, found);
  }
}

/** The items of a list by their names, in brackets; undefined when they have none that tell them apart. */
function itemsByName(list: readonly unknown[]): Readonly<Record<string, unknown>> | undefined {
  const named = list.map((item) => (isRecord(item) && typeof item["name"] === "string" ? item["name"] : undefined));
  if (named.includes(undefined) || new Set(named).size !== list.length) return undefined;
  return Object.fromEntries(list.map((item, at) => [`[${named[at] ?? ""}]`, item]));
}

function itemsByIndex(list: readonly unknown[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(list.map((item, at) => [`[${at}]`, item]));
}

function own(record: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** A readable path: `spec.template.spec.containers[web].image`; dots in keys are escaped. */
export function pathText(path: readonly string[]): string {
  return path
    .map((part, at) => {
      if (part.startsWith("[")) return part;
      const key = part.replaceAll(".", String.raw`\.`);
      return at === 0 ? key : `.${key}`;
    })
    .join("");
}
