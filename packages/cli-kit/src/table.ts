import { printable } from "./printable.ts";
import { type Paint, plainPaint, type Style } from "./style.ts";

/** One column of a table. */
export interface Column<T> {
  readonly title: string;
  readonly value: (row: T) => string;
  /** Shown only with `-o wide`. */
  readonly isWide?: boolean;
  readonly style?: (row: T) => Style | undefined;
}

export interface TableOptions {
  readonly isWide?: boolean;
  readonly hasHeader?: boolean;
  readonly paint?: Paint;
}

/** A table whose rows may arrive one by one, as with `--watch`: columns only grow. */
export class Table<T> {
  readonly #columns: readonly Column<T>[];
  readonly #paint: Paint;
  readonly #hasHeader: boolean;
  #widths: number[];

  constructor(columns: readonly Column<T>[], { isWide = false, hasHeader = true, paint = plainPaint }: TableOptions) {
    this.#columns = columns.filter((column) => isWide || column.isWide !== true);
    this.#paint = paint;
    this.#hasHeader = hasHeader;
    this.#widths = this.#columns.map(({ title }) => title.length);
  }

  /** The first lines: header and rows, with columns as wide as their longest cell. */
  start(rows: readonly T[]): string[] {
    const cells = rows.map((row) => this.#cells(row));
    for (const each of cells) this.#fit(each);
    const header = this.#line(this.#columns.map(({ title }) => ({ text: title, style: undefined })));
    return [...(this.#hasHeader ? [header] : []), ...cells.map((each) => this.#line(each))];
  }

  /** One more line. */
  row(row: T): string {
    const cells = this.#cells(row);
    this.#fit(cells);
    return this.#line(cells);
  }

  #cells(row: T): Cell[] {
    return this.#columns.map((column) => ({ text: printable(column.value(row)), style: column.style?.(row) }));
  }

  #fit(cells: readonly Cell[]): void {
    this.#widths = this.#widths.map((width, at) => Math.max(width, cells[at]?.text.length ?? 0));
  }

  #line(cells: readonly Cell[]): string {
    const last = cells.findLastIndex(({ text }) => text !== "");
    return cells
      .slice(0, last + 1)
      .map(({ text, style }, at) => {
        const padding = at === last ? "" : " ".repeat(Math.max(0, (this.#widths[at] ?? 0) - text.length));
        return this.#paint(style, text) + padding;
      })
      .join("  ");
  }
}

interface Cell {
  readonly text: string;
  readonly style: Style | undefined;
}

/** A whole table as lines. */
export function renderTable<T>(
  columns: readonly Column<T>[],
  rows: readonly T[],
  options: TableOptions = {},
): string[] {
  return new Table(columns, options).start(rows);
}

/** A whole table as lines; no header when it has no rows. */
export function renderRows<T>(
  columns: readonly Column<T>[],
  rows: readonly T[] | undefined,
  options: TableOptions = {},
): string[] {
  return rows === undefined || rows.length === 0 ? [] : renderTable(columns, rows, options);
}
