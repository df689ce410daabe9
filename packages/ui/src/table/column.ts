import type { ReactNode } from "react";

/** One column of a table. */
export interface Column<Row> {
  readonly id: string;
  readonly header: string;
  /** Content of a cell; what the column sorts by if undefined. */
  readonly cell?: (row: Row) => ReactNode;
  /** Sort key; the column is not sortable if undefined. */
  readonly sortBy?: (row: Row) => string | number;
  /** CSS grid width, such as `minmax(160px, 2fr)`. */
  readonly width?: string;
  readonly align?: "start" | "end";
  /** Whether its cells contain only a button, which fills the cell. */
  readonly isButton?: boolean;
  /** Whether it is shown on narrow screens. */
  readonly isNarrow?: boolean;
}

/** Sorting of a table. */
export interface Sorting {
  readonly column: string;
  readonly isDescending: boolean;
}

/** A sorting as URL text: `name`, or `-name` for descending. */
export function sortingText({ column, isDescending }: Sorting): string {
  return isDescending ? `-${column}` : column;
}

/** Parses a sorting from URL text. */
export function parseSorting(text: string): Sorting {
  return text.startsWith("-") ? { column: text.slice(1), isDescending: true } : { column: text, isDescending: false };
}

/** The sorting after a click on a column header. */
export function nextSorting(current: Sorting | undefined, column: string): Sorting {
  return { column, isDescending: current?.column === column && !current.isDescending };
}
