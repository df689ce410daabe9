import { detailLines } from "../view/details-view.ts";
import { helpLines } from "../view/help-view.ts";
import { type TabId, tabIds } from "../tabs/tab.ts";
import { keyInDialog, openDialog, withoutLast } from "./dialog.ts";
import { bodyHeight, clamp, pageHeight } from "./layout.ts";
import { chosenRow, currentList, nextSort, visibleRows, withList } from "./lists.ts";
import { isConnected, withNotice } from "./notice.ts";
import type { Effect, KeyPress, Step, TuiState } from "./state.ts";

/** Maximum length of a filter. */
const longestFilter = 100;

function stay(state: TuiState, ...effects: readonly Effect[]): Step {
  return { state, effects };
}

/** Handles a key, depending on what is on top of the screen. */
export function pressKey(state: TuiState, key: KeyPress): Step {
  if (key.name === "interrupt") return stay(state, { type: "quit" });
  if (state.help !== undefined) return keyInHelp(state, state.help, key);
  if (state.dialog !== undefined) return keyInDialog(state, state.dialog, key);
  const isSaid = state.notice !== undefined && state.notice.tone !== "working";
  const quiet = isSaid ? { ...state, notice: undefined } : state;
  return quiet.isFiltering ? stay(keyInFilter(quiet, key)) : keyInPage(quiet, key);
}

/** Handles a key outside of dialogs and the filter. */
function keyInPage(state: TuiState, key: KeyPress): Step {
  const letter = key.name === "text" ? key.text : "";
  if (letter === "q") return stay(state, { type: "quit" });
  if (letter === "?") return stay({ ...state, help: 0 });
  if (/^[1-9]$/.test(letter)) return stay(showTab(state, tabIds[Number(letter) - 1]));
  const step = state.details === undefined ? keyInList(state, key) : stay(keyInDetails(state, key));
  return step.state === state && letter !== "" ? offer(state, letter) : step;
}

/** Number of lines that a key moves; undefined for a key that does not move. */
export function movement(key: KeyPress, page: number): number | undefined {
  switch (key.name) {
    case "up":
      return -1;
    case "down":
      return 1;
    case "pageUp":
      return -page;
    case "pageDown":
      return page;
    case "home":
      return -Infinity;
    case "end":
      return Infinity;
    case "text":
      return letterMoves[key.text];
    default:
      return undefined;
  }
}

/** Keys that users know from other programs. */
const letterMoves: Readonly<Record<string, number>> = { j: 1, k: -1, g: -Infinity, G: Infinity };

function keyInHelp(state: TuiState, scroll: number, key: KeyPress): Step {
  const isClosing = key.name === "escape" || key.name === "enter" || (key.name === "text" && /^[?q]$/.test(key.text));
  if (isClosing) return stay({ ...state, help: undefined });
  const by = movement(key, bodyHeight(state)) ?? 0;
  return stay({ ...state, help: clamp(scroll + by, 0, helpLines(state).length - bodyHeight(state)) });
}

function keyInFilter(state: TuiState, key: KeyPress): TuiState {
  const { filter } = currentList(state);
  if (key.name === "text") return withList(state, { filter: (filter + key.text).slice(0, longestFilter) });
  if (key.name === "backspace") {
    return filter === "" ? { ...state, isFiltering: false } : withList(state, { filter: withoutLast(filter) });
  }
  if (key.name === "clear") return withList(state, { filter: "" });
  if (key.name === "enter") return { ...state, isFiltering: false };
  if (key.name === "escape") return withList({ ...state, isFiltering: false }, { filter: "" });
  const by = movement(key, pageHeight(state));
  return by === undefined ? state : moveBy(state, by);
}

function keyInList(state: TuiState, key: KeyPress): Step {
  const by = movement(key, pageHeight(state));
  if (by !== undefined) return stay(moveBy(state, by));
  if (key.name === "enter") return open(state);
  if (key.name === "tab" || key.name === "right") return stay(stepTab(state, 1));
  if (key.name === "backTab" || key.name === "left") return stay(stepTab(state, -1));
  if (key.name === "escape") return stay(withList(state, { filter: "" }));
  const letter = key.name === "text" ? key.text : "";
  if (letter === "/") return stay({ ...state, isFiltering: true });
  if (letter === "o") return stay(withList(state, { sort: nextSort(state) }));
  const { sort } = currentList(state);
  if (letter === "O") return stay(withList(state, { sort: { ...sort, isDescending: !sort.isDescending } }));
  return stay(state);
}

function keyInDetails(state: TuiState, key: KeyPress): TuiState {
  const { details } = state;
  if (details === undefined) return state;
  if (key.name === "escape" || key.name === "left" || key.name === "backspace") return { ...state, details: undefined };
  if (key.name === "tab") return stepTab(state, 1);
  if (key.name === "backTab") return stepTab(state, -1);
  const by = movement(key, bodyHeight(state) - 1);
  if (by === undefined) return state;
  const most = detailLines(state).length - bodyHeight(state);
  return { ...state, details: { ...details, scroll: clamp(details.scroll + by, 0, most) } };
}

function moveBy(state: TuiState, by: number): TuiState {
  const rows = visibleRows(state);
  const { index: before, sort } = currentList(state);
  const index = clamp(before + by, 0, rows.length - 1);
  // At the top of a list by time, keep following the newest row rather than the current one.
  return withList(state, { index, key: index === 0 && sort.column < 0 ? undefined : rows[index]?.key });
}

function showTab(state: TuiState, tab: TabId | undefined): TuiState {
  return { ...state, tab: tab ?? state.tab, details: undefined };
}

function stepTab(state: TuiState, by: number): TuiState {
  const at = tabIds.indexOf(state.tab) + by + tabIds.length;
  return showTab(state, tabIds[at % tabIds.length]);
}

/** Opens the details of the selected row, or of the object that it refers to. */
function open(state: TuiState): Step {
  const row = chosenRow(state);
  if (row === undefined) return stay(state);
  const { tab, key } = row.leadsTo ?? { tab: state.tab, key: row.key };
  const details = { key, scroll: 0, askedMs: state.nowMs, explanation: undefined };
  const there = withList({ ...state, tab, details }, {});
  const opened = row.leadsTo === undefined ? there : withList(there, { key, filter: "" });
  return tab === "clusters" ? stay(opened, { type: "explain", key }) : stay(opened);
}

/** Starts the action of a letter for the selected object. */
function offer(state: TuiState, letter: string): Step {
  const found = chosenRow(state)
    ?.offers()
    .find(({ key }) => key === letter);
  if (found === undefined) return stay(state);
  if (!isConnected(state)) return stay(withNotice(state, "attention", "Not connected: changes are disabled."));
  const question = found.begin();
  if (typeof question === "string") return stay(withNotice(state, "attention", question));
  return stay({ ...state, dialog: openDialog(question) });
}
