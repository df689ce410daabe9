import { bodyHeight, pageHeight } from "../model/layout.ts";
import { chosenRow, currentList, currentTab, visibleRows } from "../model/lists.ts";
import type { TuiState } from "../model/state.ts";
import { signs } from "../tabs/tones.ts";
import { detailLines } from "./details-view.ts";
import { type Line, lineOf, type Span, spread } from "./line.ts";
import { widthOf } from "./text.ts";

/** The last two lines: status, and the keys that apply now. */
export function footerLines(state: TuiState): readonly Line[] {
  return [spread(statusLine(state), lineOf(`${positionText(state)} `, "faint"), state.size.columns), keyLine(state)];
}

function statusLine(state: TuiState): Line {
  const { notice, connection, isFiltering } = state;
  const { filter } = currentList(state);
  if (isFiltering) return [{ text: ` /${filter}▏`, look: "active" }];
  if (notice !== undefined) return lineOf(` ${signs[notice.tone]} ${notice.text}`, notice.tone);
  if (connection.state === "stale") {
    return lineOf(` ▲ Connection lost, retrying; data may be outdated: ${connection.why}`, "attention");
  }
  if (state.details !== undefined) return lineOf("");
  if (filter !== "") return lineOf(` Filter: “${filter}”; Esc clears it`, "working");
  return lineOf(` ${noteOf(state)}`, "faint");
}

/** The note of the selected row, which may be cut off in the row itself. */
function noteOf(state: TuiState): string {
  const { columns } = currentTab(state);
  const note = columns.findIndex(({ isNote }) => isNote === true);
  return note < 0 ? "" : (chosenRow(state)?.value(note, new Date(state.nowMs)) ?? "");
}

/** Position in the list or in the details. */
function positionText(state: TuiState): string {
  if (state.help !== undefined) return "";
  if (state.details !== undefined) {
    const all = detailLines(state).length;
    const last = Math.min(all, state.details.scroll + bodyHeight(state));
    return all <= bodyHeight(state) ? "" : `lines ${state.details.scroll + 1}–${last} of ${all}`;
  }
  const rows = visibleRows(state).length;
  const { index, top } = currentList(state);
  const more = rows > top + pageHeight(state) ? " ↓" : "";
  return rows === 0 ? "" : `${index + 1} of ${rows}${more}`;
}

type Hint = readonly [key: string, what: string];

/** The keys that apply now; those in the middle are dropped when space is short. */
function keyLine(state: TuiState): Line {
  const kept: readonly Hint[] = [
    ["?", "keys"],
    ["q", "quit"],
  ];
  const hints = [...hintsOf(state)];
  const room = state.size.columns - 1;
  const needed = (all: readonly Hint[]): number =>
    all.reduce((sum, [key, what]) => sum + widthOf(key) + widthOf(what) + 3, 0);
  while (hints.length > 0 && needed([...hints, ...kept]) > room) hints.pop();
  const all =
    state.dialog === undefined && state.help === undefined && !state.isFiltering ? [...hints, ...kept] : hints;
  return [
    { text: " " },
    ...all.flatMap(([key, what]): Span[] => [
      { text: key, look: "strong" },
      { text: ` ${what}  `, look: "faint" },
    ]),
  ];
}

function hintsOf(state: TuiState): readonly Hint[] {
  if (state.help !== undefined) return [["Esc", "back"]];
  if (state.dialog !== undefined) return [["Esc", "cancel"]];
  if (state.isFiltering) {
    return [
      ["Enter", "apply"],
      ["Esc", "clear"],
    ];
  }
  const offers = (chosenRow(state)?.offers() ?? []).map(({ key, title }): Hint => [key, title]);
  if (state.details !== undefined) return [["Esc", "back"], ["↑↓", "scroll"], ...offers];
  const isEmpty = currentTab(state).rows(state.snapshot).length === 0;
  return isEmpty ? [["Tab", "next"]] : [["Enter", "open"], ["/", "filter"], ["o", "sort"], ...offers, ["Tab", "next"]];
}
