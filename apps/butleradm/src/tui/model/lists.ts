import type { Snapshot } from "../snapshot.ts";
import { allTabs } from "../tabs/all-tabs.ts";
import type { Row, Tab } from "../tabs/tab.ts";
import type { ListState, TuiState } from "./state.ts";

/** The current tab. */
export function currentTab(state: TuiState): Tab {
  return allTabs[state.tab];
}

/** The view state of the current list. */
export function currentList(state: TuiState): ListState {
  return state.lists[state.tab];
}

/** The state with a change to the current list. */
export function withList(state: TuiState, change: Partial<ListState>): TuiState {
  return { ...state, lists: { ...state.lists, [state.tab]: { ...currentList(state), ...change } } };
}

const known = new WeakMap<Snapshot, Map<string, readonly Row[]>>();

/** The rows of the current list, filtered and sorted. Memoized. */
export function visibleRows(state: TuiState): readonly Row[] {
  const tab = currentTab(state);
  const { filter, sort } = currentList(state);
  const id = JSON.stringify([state.tab, filter, sort]);
  const ofSnapshot = known.get(state.snapshot) ?? new Map<string, readonly Row[]>();
  known.set(state.snapshot, ofSnapshot);
  const found = ofSnapshot.get(id) ?? sorted(filtered(tab.rows(state.snapshot), filter), sort);
  ofSnapshot.set(id, found);
  return found;
}

/** The rows that contain every word of the filter. */
export function filtered(rows: readonly Row[], filter: string): readonly Row[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return words.length === 0 ? rows : rows.filter(({ text }) => words.every((word) => text.includes(word)));
}

/** Sorts rows by a column, and equal rows by key, so that the order is stable. */
export function sorted(rows: readonly Row[], { column, isDescending }: ListState["sort"]): readonly Row[] {
  if (column < 0) return isDescending ? rows.toReversed() : rows;
  const sign = isDescending ? -1 : 1;
  return rows.toSorted((left, right) => {
    const order = compare(left.sortValue(column), right.sortValue(column));
    return order === 0 ? compare(left.key, right.key) : sign * order;
  });
}

function compare(left: string | number, right: string | number): number {
  if (typeof left === "number" && typeof right === "number") {
    if (Number.isNaN(left) || Number.isNaN(right)) return Number(Number.isNaN(left)) - Number(Number.isNaN(right));
    return left - right;
  }
  return String(left).localeCompare(String(right), "en", { numeric: true });
}

/** The selected row; undefined when there is none. */
export function chosenRow(state: TuiState): Row | undefined {
  if (state.details === undefined) return visibleRows(state)[currentList(state).index];
  return currentTab(state)
    .rows(state.snapshot)
    .find(({ key }) => key === state.details?.key);
}

/** The next column to sort by. */
export function nextSort(state: TuiState): ListState["sort"] {
  const { columns, sort: first } = currentTab(state);
  const { column } = currentList(state).sort;
  const next = column + 1 < columns.length ? column + 1 : Math.min(first.column, 0);
  return { column: next, isDescending: false };
}
