import type { ReactNode } from "react";

/** One column of a table. */
export interface Column<Row> {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** What the column is sorted by; it cannot be sorted when absent. */
  readonly sortBy?: (row: Row) => string | number;
  /** A width as CSS grids have it, such as `minmax(160px, 2fr)`. */
  readonly width?: string;
  readonly align?: "start" | "end";
  /** Whether a button is all that its cells have: it takes their whole width. */
  readonly isButton?: boolean;
  /** Whether narrow screens have it too. */
  readonly isNarrow?: boolean;
}

/** What a table is sorted by. */
export interface Sorting {
  readonly column: string;
  readonly isDescending: boolean;
}

/** A sorting as it stands in an address: `name`, or `-name` for the other way round. */
export function sortingText({ column, isDescending }: Sorting): string {
  return isDescending ? `-${column}` : column;
}

/** Reads a sorting from an address. */
export function parseSorting(text: string): Sorting {
  return text.startsWith("-") ? { column: text.slice(1), isDescending: true } : { column: text, isDescending: false };
}

/** What a click on a head makes of the sorting. */
export function nextSorting(current: Sorting | undefined, column: string): Sorting {
  return { column, isDescending: current?.column === column && !current.isDescending };
}
