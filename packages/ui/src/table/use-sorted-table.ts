import {
  type ColumnDef,
  createSortedRowModel,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { useMemo } from "react";
import type { Column, Sorting } from "./column.ts";

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() });

/** Compares as people expect it: `node-2` before `node-10`. */
const byText = new Intl.Collator("en", { numeric: true });

/** Compares two values of a column. */
export function compareValues(left: string | number, right: string | number): number {
  if (typeof left === "number" && typeof right === "number") return left - right;
  return byText.compare(String(left), String(right));
}

/** What a table is made from. */
export interface SortedTableOptions<Row> {
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  readonly sorting: Sorting | undefined;
}

/** The rows in their order, each under its key. */
export function useSortedTable<Row extends object>({ rows, columns, rowKey, sorting }: SortedTableOptions<Row>) {
  const definitions = useMemo(
    () =>
      columns.map(({ id, sortBy }): ColumnDef<typeof features, Row> => ({
        id,
        accessorFn: (row: Row) => sortBy?.(row) ?? "",
        enableSorting: sortBy !== undefined,
        sortFn: (left, right, column) => compareValues(left.getValue(column), right.getValue(column)),
      })),
    [columns],
  );
  const state = useMemo(
    () => ({ sorting: sorting === undefined ? [] : [{ id: sorting.column, desc: sorting.isDescending }] }),
    [sorting?.column, sorting?.isDescending],
  );
  return useTable({ features, data: rows, columns: definitions, getRowId: rowKey, state });
}
