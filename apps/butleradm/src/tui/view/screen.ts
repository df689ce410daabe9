import { connectionWords } from "../connection.ts";
import { bodyHeight, isLargeEnough, smallestSize } from "../model/layout.ts";
import type { TuiState } from "../model/state.ts";
import { allTabs } from "../tabs/all-tabs.ts";
import { tabIds } from "../tabs/tab.ts";
import { detailBody } from "./details-view.ts";
import { dialogLines } from "./dialog-view.ts";
import { footerLines } from "./footer-view.ts";
import { helpLines } from "./help-view.ts";
import { cutLine, type Line, lineOf, type Span, spread } from "./line.ts";
import { listLines } from "./list-view.ts";

/** The whole screen: exactly the terminal's number of lines, none wider than it. */
export function screenOf(state: TuiState): readonly Line[] {
  const { columns, rows } = state.size;
  const lines = isLargeEnough(state)
    ? [titleLine(state), tabLine(state), lineOf("─".repeat(columns), "faint"), ...bodyOf(state), ...footerLines(state)]
    : [lineOf(`Enlarge the terminal to at least ${smallestSize.columns}×${smallestSize.rows}.`)];
  const filled = [...lines, ...Array.from({ length: Math.max(0, rows - lines.length) }, () => lineOf(""))];
  return filled.slice(0, rows).map((line) => cutLine(line, columns));
}

const connectionLooks = { live: "ready", connecting: "working", stale: "attention" } as const;

function titleLine({ context, connection, nowMs, size }: TuiState): Line {
  const version = connection.state === "live" ? ` · Kubernetes ${connection.version}` : "";
  const left: Line = [
    { text: " Butler", look: "strong" },
    { text: ` · ${context}${version}`, look: "faint" },
  ];
  const look = connectionLooks[connection.state];
  return spread(left, [{ text: `${connectionWords(connection, nowMs)} `, look }], size.columns);
}

/** From this width on tabs are shown with their numbers. */
const widthWithNumbers = 112;

function tabLine({ tab, size }: TuiState): Line {
  const hasNumbers = size.columns >= widthWithNumbers;
  const spans = tabIds.flatMap((id, at): Span[] => {
    const title = hasNumbers ? `${at + 1} ${allTabs[id].title}` : allTabs[id].title;
    const isActive = id === tab;
    const space = hasNumbers ? "  " : at === 0 ? "" : " ";
    return [{ text: space }, isActive ? { text: `[${title}]`, look: "active" } : { text: title, look: "faint" }];
  });
  return [{ text: hasNumbers ? "" : " " }, ...spans];
}

function bodyOf(state: TuiState): readonly Line[] {
  const height = bodyHeight(state);
  const below = contentOf(state);
  const filled = [...below, ...Array.from({ length: Math.max(0, height - below.length) }, () => lineOf(""))];
  if (state.dialog === undefined || state.help !== undefined) return filled.slice(0, height);
  const box = dialogLines(state.dialog, state.size.columns).slice(0, height);
  const from = Math.max(0, Math.floor((height - box.length) / 2));
  return filled.toSpliced(from, box.length, ...box).slice(0, height);
}

function contentOf(state: TuiState): readonly Line[] {
  if (state.help !== undefined) return helpLines(state).slice(state.help);
  return state.details === undefined ? listLines(state) : detailBody(state);
}
