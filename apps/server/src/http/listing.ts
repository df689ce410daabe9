import { RouteProblem } from "./problem.ts";

/** Query of a list. */
export interface ListQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** A key; with `-` in front the order is reversed. */
  readonly sort: string;
  readonly search?: string | undefined;
}

/** How the entries of a list are identified, sorted and searched. */
export interface ListShape<T> {
  /** Unique id of an entry. */
  readonly id: (item: T) => string;
  /** The values that entries can be ordered by. */
  readonly sortBy: Readonly<Record<string, (item: T) => string | number>>;
  /** The searchable text. */
  readonly text: (item: T) => string;
}

/** One page of a list. */
export interface Listed<T> {
  readonly items: readonly T[];
  readonly total: number;
  readonly nextCursor?: string;
}

/** A sort value, and an id to break ties. */
type Position = readonly [value: string | number, id: string];

/** An entry and its place in an order. */
export interface Placed<T> {
  readonly item: T;
  readonly at: Position;
}

/**
 * One page of the entries: searched, sorted and sliced. A page continues after the last entry of the previous one,
 * whatever was added or removed in between, so that no remaining entry is skipped or repeated.
 */
export function pageOf<T>(items: Iterable<T>, query: ListQuery, shape: ListShape<T>): Listed<T> {
  const isFound = searchOf(query.search, shape);
  const found = isFound === undefined ? [...items] : [...items].filter(isFound);
  const key = sortKeyOf(query);
  const placed = found.map((item) => ({ item, at: placeOf(item, key, shape) }));
  return cut(
    placed.sort(({ at: left }, { at: right }) => comparePositions(left, right)),
    query,
  );
}

/** The same for sorted entries, with a filter. */
export function pageOfOrdered<T>(
  placed: readonly Placed<T>[],
  query: ListQuery,
  { shape, isWanted }: { readonly shape: ListShape<T>; readonly isWanted?: ((item: T) => boolean) | undefined },
): Listed<T> {
  const isFound = allOf([isWanted, searchOf(query.search, shape)].filter((test) => test !== undefined));
  return cut(isFound === undefined ? placed : placed.filter(({ item }) => isFound(item)), query);
}

/** The conjunction of predicates; undefined if there are none. */
export function allOf<T>(tests: readonly ((item: T) => boolean)[]): ((item: T) => boolean) | undefined {
  return tests.length === 0 ? undefined : tests.reduce((one, other) => (item) => one(item) && other(item));
}

/** What a list is ordered by. */
export function sortKeyOf({ sort }: Pick<ListQuery, "sort">): string {
  return sort.startsWith("-") ? sort.slice(1) : sort;
}

/** Where an entry belongs in an order. */
export function placeOf<T>(item: T, key: string, { sortBy, id }: ListShape<T>): Position {
  return [(sortBy[key] ?? id)(item), id(item)];
}

/** Slices a page out of entries in ascending order. */
function cut<T>(placed: readonly Placed<T>[], { sort, cursor, limit }: ListQuery): Listed<T> {
  const isReversed = sort.startsWith("-");
  const after = cursor === undefined ? undefined : readCursor(cursor, sort);
  const before = placed.length - countBehind(placed, after, isReversed);
  const [from, to] = isReversed
    ? [Math.max(0, placed.length - before - limit), placed.length - before]
    : [before, Math.min(placed.length, before + limit)];
  const page = placed.slice(from, to);
  if (isReversed) page.reverse();
  const last = page.at(-1);
  const hasMore = before + page.length < placed.length && last !== undefined;
  return {
    items: page.map(({ item }) => item),
    total: placed.length,
    ...(hasMore ? { nextCursor: writeCursor(last.at, sort) } : {}),
  };
}

/** Number of entries after a position, in the direction of the list; all without a position. */
function countBehind<T>(placed: readonly Placed<T>[], after: Position | undefined, isReversed: boolean): number {
  if (after === undefined) return placed.length;
  let [from, to] = [0, placed.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    const order = comparePositions(placed[middle]?.at ?? after, after);
    if (isReversed ? order < 0 : order <= 0) from = middle + 1;
    else to = middle;
  }
  return isReversed ? from : placed.length - from;
}

/** A predicate for a search; undefined without one. */
function searchOf<T>(search: string | undefined, { text }: ListShape<T>): ((item: T) => boolean) | undefined {
  const words = (search ?? "")
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return undefined;
  return (item) => {
    const where = text(item).toLowerCase();
    return words.every((word) => where.includes(word));
  };
}

/** Compares two positions. */
export function comparePositions([left, leftId]: Position, [right, rightId]: Position): number {
  return compareValues(left, right) || compareValues(leftId, rightId);
}

function compareValues(left: string | number, right: string | number): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function writeCursor([value, id]: Position, sort: string): string {
  return Buffer.from(JSON.stringify([sort, value, id])).toString("base64url");
}

function readCursor(text: string, sort: string): Position {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(text, "base64url").toString());
    if (Array.isArray(parsed) && parsed[0] === sort && isValue(parsed[1]) && typeof parsed[2] === "string") {
      return [parsed[1], parsed[2]];
    }
  } catch {
    // Reported below, like every other invalid cursor.
  }
  throw new RouteProblem("INVALID", "the cursor is not valid for this list and sort order", {
    hint: "Send nextCursor unchanged with the same sort, or omit the cursor to start over.",
    causes: [{ field: "cursor", reason: "INVALID_CURSOR", message: "is not valid for this list and sort order" }],
  });
}

function isValue(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}
