import type { Column, Sorting } from "./column.ts";

/** Compares as people expect it: `node-2` before `node-10`. */
const byText = new Intl.Collator("en", { numeric: true });

/** What a value is sorted by: texts of which the order is plain to see get along without the rules of a language. */
interface SortKey {
  readonly value: string | number;
  /** In the order of its characters where it has one; see `plainKey`. */
  readonly plain: string | undefined;
}

/**
 * A text whose characters are in the order in which people expect the value, for names as Kubernetes has them; undefined
 * for anything else. Numbers in it begin with how long they are, so that a longer one comes later.
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

/** Compares two values of a column. */
export function compareValues(left: string | number, right: string | number): number {
  return compareKeys(keyOf(left), keyOf(right));
}

/** Keys by column and row. Rows that did not change are the same objects, so that each key is made once. */
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

/** The rows in the order that is wanted; as they are where no column is meant. */
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
