import type { Column, Sorting } from "./column.ts";

/** Natural order: `node-2` before `node-10`. */
const byText = new Intl.Collator("en", { numeric: true });

/** Sort key of a value. Simple texts are compared without the collator. */
interface SortKey {
  readonly value: string | number;
  /** Key that sorts by plain comparison, if there is one; see `plainKey`. */
  readonly plain: string | undefined;
}

/**
 * A key whose plain comparison gives natural order, for Kubernetes names; undefined for other texts. Numbers are
 * prefixed with their length, so that longer ones sort later.
 */
function plainKey(text: string): string | undefined {
  if (!/^[a-z0-9.-]*$/.test(text) || /\d{10}/.test(text)) return undefined;
  return text.replaceAll(/0*(\d+)/g, (_whole, digits: string) => `${digits.length}${digits}`);
}

function keyOf(value: string | number): SortKey {
  return { value, plain: typeof value === "string" ? plainKey(value) : undefined };
}

function compareKeys(left: SortKey, right: SortKey): number {
  if (left.plain !== undefined && right.plain !== undefined) {
    return left.plain < right.plain ? -1 : left.plain > right.plain ? 1 : 0;
  }
  if (typeof left.value === "number" && typeof right.value === "number") return left.value - right.value;
  return byText.compare(String(left.value), String(right.value));
}

/** Compares two column values. */
export function compareValues(left: string | number, right: string | number): number {
  return compareKeys(keyOf(left), keyOf(right));
}

/** Keys by column and row. Unchanged rows keep their identity, so each key is computed once. */
const known = new WeakMap<object, WeakMap<object, SortKey>>();

function keysOf<Row extends object>(column: Column<Row>, sortBy: (row: Row) => string | number) {
  const keys = known.get(column) ?? new WeakMap<Row, SortKey>();
  known.set(column, keys);
  return (row: Row): SortKey => {
    const key = keys.get(row) ?? keyOf(sortBy(row));
    keys.set(row, key);
    return key;
  };
}

/** The sorted rows; unchanged if no column matches. */
export function sortRows<Row extends object>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sorting: Sorting | undefined,
): readonly Row[] {
  const column = columns.find(({ id }) => id === sorting?.column);
  if (sorting === undefined || column?.sortBy === undefined) return rows;
  const keyOfRow = keysOf(column, column.sortBy);
  const direction = sorting.isDescending ? -1 : 1;
  return rows
    .map((row) => ({ row, key: keyOfRow(row) }))
    .sort((left, right) => direction * compareKeys(left.key, right.key))
    .map(({ row }) => row);
}
