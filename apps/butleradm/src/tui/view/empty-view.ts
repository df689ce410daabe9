import { currentList, currentTab } from "../model/lists.ts";
import type { TuiState } from "../model/state.ts";
import { type Line, lineOf, type Look } from "./line.ts";
import { wrap } from "./text.ts";

/** The empty state of a list: the reason, and what to do. */
export function emptyLines(state: TuiState): readonly Line[] {
  const { sentence, hint, look } = reasonOf(state);
  const width = state.size.columns - 6;
  return [
    lineOf(""),
    ...wrap(sentence, width).map((text) => lineOf(`   ${text}`, look)),
    ...wrap(hint, width).map((text) => lineOf(`   ${text}`, "faint")),
  ];
}

interface Reason {
  readonly sentence: string;
  readonly hint: string;
  readonly look: Look;
}

function reasonOf(state: TuiState): Reason {
  const tab = currentTab(state);
  const { filter } = currentList(state);
  const isFiltered = filter !== "" && tab.rows(state.snapshot).length > 0;
  if (isFiltered) return { sentence: `No matches for “${filter}”.`, hint: "Esc clears the filter.", look: "strong" };
  return reasonOfSources(state) ?? { ...tab.empty, look: tab.id === "overview" ? "ready" : "strong" };
}

function reasonOfSources(state: TuiState): Reason | undefined {
  const { connection, snapshot, context } = state;
  const sources = currentTab(state).sources.map((name) => snapshot.sources[name]);
  const refused = sources.find((source) => source.state === "refused");
  if (refused !== undefined) {
    return { sentence: "▲ Permission denied.", hint: refused.why, look: "attention" };
  }
  if (connection.state === "connecting") {
    const hint = connection.why === undefined ? "" : `No response yet: ${connection.why}`;
    return { sentence: `◐ Connecting to ${context} …`, hint, look: "working" };
  }
  if (sources.every(({ state: each }) => each === "absent")) {
    const hint = "Is Butler installed there? Use --context to choose another context.";
    return { sentence: "▲ This cluster does not serve these resources.", hint, look: "attention" };
  }
  return sources.some(({ state: each }) => each === "waiting")
    ? { sentence: "◐ Loading …", hint: "", look: "working" }
    : undefined;
}
