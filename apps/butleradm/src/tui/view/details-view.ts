import { bodyHeight } from "../model/layout.ts";
import { chosenRow, currentTab } from "../model/lists.ts";
import type { TuiState } from "../model/state.ts";
import { cutLine, type Line, lineOf } from "./line.ts";

const indent = 2;

/** All lines of the open details, visible or not. */
export function detailLines(state: TuiState): readonly Line[] {
  const { details, snapshot, nowMs, size } = state;
  const tab = currentTab(state);
  const title: Line = [
    { text: ` ${tab.title} › `, look: "faint" },
    { text: details?.key ?? "", look: "strong" },
  ];
  const row = chosenRow(state);
  if (row === undefined || details === undefined) {
    return [
      title,
      lineOf(""),
      lineOf("   This object no longer exists.", "strong"),
      lineOf("   Esc returns to the list.", "faint"),
    ];
  }
  const width = size.columns - 2 * indent - 1;
  const sections = row.details({ snapshot, now: new Date(nowMs), width, explanation: details.explanation });
  const lines = sections.flatMap((section): Line[] => [
    lineOf(""),
    lineOf(` ${section.title}`, "strong"),
    ...section.lines.map((line): Line => [{ text: " ".repeat(indent + 1) }, ...line]),
  ]);
  return [title, ...lines].map((line) => cutLine(line, size.columns));
}

/** The visible lines of the open details. */
export function detailBody(state: TuiState): readonly Line[] {
  const from = state.details?.scroll ?? 0;
  return detailLines(state).slice(from, from + bodyHeight(state));
}
