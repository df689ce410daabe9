import { bodyHeight, pageHeight } from "../model/layout.ts";
import { currentList, currentTab, visibleRows } from "../model/lists.ts";
import type { TuiState } from "../model/state.ts";
import type { Row, Tab } from "../tabs/tab.ts";
import { gap, placeColumns, type PlacedColumn } from "./columns.ts";
import { emptyLines } from "./empty-view.ts";
import { cutLine, type Line, lineOf, lineWidth, type Span } from "./line.ts";
import { fit } from "./text.ts";

/** Width of the selection marker before each row. */
const markerWidth = 2;

/** The visible lines of the current list. */
export function listLines(state: TuiState): readonly Line[] {
  const tab = currentTab(state);
  const rows = visibleRows(state);
  const { columns: width } = state.size;
  const summary = tab.summary?.(state.snapshot, width) ?? [];
  const lines = rows.length === 0 ? emptyLines(state) : tableOf(state, tab, rows);
  return [...summary, ...lines].slice(0, bodyHeight(state)).map((line) => cutLine(line, width));
}

function tableOf(state: TuiState, tab: Tab, rows: readonly Row[]): readonly Line[] {
  const now = new Date(state.nowMs);
  const { top, index, sort } = currentList(state);
  const width = state.size.columns - markerWidth - 1;
  const placed = placeColumns({ columns: tab.columns, rows, width, now });
  const shown = rows.slice(top, top + pageHeight(state));
  return [
    headerLine(tab, placed, sort),
    ...shown.map((row, at) => {
      const cells = cellsOf({ tab, row, placed, now });
      return top + at === index ? chosenLine(cells, state.size.columns) : [{ text: " ".repeat(markerWidth) }, ...cells];
    }),
  ];
}

function headerLine(tab: Tab, placed: readonly PlacedColumn[], sort: Tab["sort"]): Line {
  const titles = placed.flatMap(({ at, width }, place): Span[] => {
    const column = tab.columns[at];
    const arrow = sort.column === at ? (sort.isDescending ? "↓" : "↑") : "";
    const isSorted = arrow !== "";
    const text = fit(`${column?.title ?? ""}${arrow}`, width, column?.align);
    return [{ text: place === 0 ? "" : " ".repeat(gap) }, { text, look: isSorted ? "strong" : "faint" }];
  });
  return [{ text: " ".repeat(markerWidth) }, ...titles];
}

interface CellsQuestion {
  readonly tab: Tab;
  readonly row: Row;
  readonly placed: readonly PlacedColumn[];
  readonly now: Date;
}

function cellsOf({ tab, row, placed, now }: CellsQuestion): Span[] {
  return placed.flatMap(({ at, width }, place): Span[] => [
    { text: place === 0 ? "" : " ".repeat(gap) },
    { text: fit(row.value(at, now), width, tab.columns[at]?.align), look: row.look(at) },
  ]);
}

/** The selected row is highlighted over the whole width, and has a marker for terminals without styles. */
function chosenLine(cells: readonly Span[], width: number): Line {
  const text = `▸ ${cells.map((cell) => cell.text).join("")}`;
  return lineOf(text + " ".repeat(Math.max(0, width - lineWidth(lineOf(text)))), "selected");
}
