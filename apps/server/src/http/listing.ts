import { RouteProblem } from "./problem.ts";

/** What a list is asked for. */
export interface ListQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** A key; with `-` in front the order is reversed. */
  readonly sort: string;
  readonly search?: string | undefined;
}

/** How the entries of a list are told apart, ordered and searched. */
export interface ListShape<T> {
  /** Tells an entry from all others. */
  readonly id: (item: T) => string;
  /** The values that entries can be ordered by. */
  readonly sortBy: Readonly<Record<string, (item: T) => string | number>>;
  /** Everything that a search looks into. */
  readonly text: (item: T) => string;
}

/** One page of a list. */
export interface Listed<T> {
  readonly items: readonly T[];
  readonly total: number;
  readonly nextCursor?: string;
}

/** A value to order by, and what tells entries with the same value apart. */
type Position = readonly [value: string | number, id: string];

/** An entry and its place in an order. */
export interface Placed<T> {
  readonly item: T;
  readonly at: Position;
}

/**
 * One page of the entries: searched, ordered and cut. A page goes on behind the last entry of the one before, whatever
 * came or went in between, so that nothing that stays is missed or shown twice.
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

/** The same of entries that are in order already, with those left out that are not wanted. */
export function pageOfOrdered<T>(
  placed: readonly Placed<T>[],
  query: ListQuery,
  { shape, isWanted }: { readonly shape: ListShape<T>; readonly isWanted?: ((item: T) => boolean) | undefined },
): Listed<T> {
  const isFound = allOf([isWanted, searchOf(query.search, shape)].filter((test) => test !== undefined));
  return cut(isFound === undefined ? placed : placed.filter(({ item }) => isFound(item)), query);
}

/** Passes what all tests pass; undefined when there are none. */
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

/** Cuts a page out of entries that are in order, the smallest first. */
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

/** How many entries are behind a position, in the direction that a list is read in; all when there is none. */
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

/** What tells whether a search finds an entry; undefined when nothing is searched for. */
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

/** Which of two places comes first. */
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
    // Told below, as every other cursor that is none of ours.
  }
  throw new RouteProblem("INVALID", "the cursor is not one of this list in this order", {
    hint: "Send nextCursor as it came, with the same sort, or begin without a cursor.",
    causes: [{ field: "cursor", reason: "INVALID_CURSOR", message: "is not one of this list in this order" }],
  });
}

function isValue(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}
