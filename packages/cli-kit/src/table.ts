import { printable } from "./printable.ts";
import { type Paint, plainPaint, type Style } from "./style.ts";

/** One column of a table. */
export interface Column<T> {
  readonly title: string;
  readonly value: (row: T) => string;
  /** Shown only in the wide form. */
  readonly isWide?: boolean;
  readonly style?: (row: T) => Style | undefined;
}

export interface TableOptions {
  readonly isWide?: boolean;
  readonly hasHeader?: boolean;
  readonly paint?: Paint;
}

/** A table whose rows may come one after another, as with `--watch`: columns stay where they are once they fit. */
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
    this.#fit(rows);
    const header = this.#line(this.#columns.map(({ title }) => ({ text: title, style: undefined })));
    return [...(this.#hasHeader ? [header] : []), ...rows.map((row) => this.row(row))];
  }

  /** One more line. */
  row(row: T): string {
    this.#fit([row]);
    return this.#line(this.#columns.map((column) => ({ text: cellOf(column, row), style: column.style?.(row) })));
  }

  #fit(rows: readonly T[]): void {
    this.#widths = this.#columns.map((column, at) =>
      Math.max(this.#widths[at] ?? 0, ...rows.map((row) => cellOf(column, row).length)),
    );
  }

  #line(cells: readonly { text: string; style: Style | undefined }[]): string {
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

function cellOf<T>(column: Column<T>, row: T): string {
  return printable(column.value(row));
}

/** A whole table as lines. */
export function renderTable<T>(
  columns: readonly Column<T>[],
  rows: readonly T[],
  options: TableOptions = {},
): string[] {
  return new Table(columns, options).start(rows);
}
