import type { Row, TabColumn } from "../tabs/tab.ts";
import { widthOf } from "./text.ts";

/** A column and its width. */
export interface PlacedColumn {
  /** Its number in the tab. */
  readonly at: number;
  readonly width: number;
}

/** Input of the column layout. */
export interface ColumnQuestion {
  readonly columns: readonly Pick<TabColumn<never>, "title" | "drop" | "widest" | "isFilling">[];
  readonly rows: readonly Pick<Row, "value">[];
  readonly width: number;
  readonly now: Date;
}

/** Between two columns. */
export const gap = 2;

/** Number of rows that are measured for the width of a column. */
const mostMeasured = 300;

/** A filling column is worth showing from this width on. */
const usefulFilling = 16;

/** Minimum width of a column, unless its content is narrower. */
const narrowest = 6;

/** Visible columns and their widths. Drops the least important columns first, then shrinks the widest. */
export function placeColumns({ columns, rows, width, now }: ColumnQuestion): readonly PlacedColumn[] {
  const measured = rows.slice(0, mostMeasured);
  const natural = columns.map(({ title, widest = Infinity }, at) => {
    // Reserve space for the arrow that shows the sort order.
    const content = Math.max(0, ...measured.map((row) => widthOf(row.value(at, now))));
    return Math.max(widthOf(title) + 1, Math.min(widest, content));
  });
  const least = columns.map(({ isFilling }, at) =>
    isFilling ? Math.min(natural[at] ?? 0, usefulFilling) : (natural[at] ?? 0),
  );
  const shown = shownColumns(columns, least, width);
  const widths = shrink(
    shown.map((at) => least[at] ?? 0),
    width - gap * (shown.length - 1),
  );
  const left = width - gap * (shown.length - 1) - sum(widths);
  return shown.map((at, place) => ({
    at,
    width: (widths[place] ?? 0) + (columns[at]?.isFilling ? Math.max(0, left) : 0),
  }));
}

function shownColumns(columns: ColumnQuestion["columns"], widths: readonly number[], width: number): readonly number[] {
  let shown = columns.map((_column, at) => at);
  const needed = (): number => sum(shown.map((at) => widths[at] ?? 0)) + gap * (shown.length - 1);
  while (needed() > width) {
    const drops = shown.map((at) => columns[at]?.drop ?? 0);
    const most = Math.max(...drops);
    if (most === 0) break;
    const victim = shown[drops.lastIndexOf(most)];
    shown = shown.filter((at) => at !== victim);
  }
  return shown;
}

/** Shrinks the widest columns until all fit. */
function shrink(widths: readonly number[], room: number): readonly number[] {
  const shrunk = [...widths];
  while (sum(shrunk) > room) {
    const most = Math.max(...shrunk);
    if (most <= narrowest) break;
    shrunk[shrunk.lastIndexOf(most)] = most - 1;
  }
  return shrunk;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
