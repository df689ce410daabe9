import { detailLines } from "../view/details-view.ts";
import { helpLines } from "../view/help-view.ts";
import { pressKey } from "./keys.ts";
import { bodyHeight, clamp, pageHeight } from "./layout.ts";
import { currentList, visibleRows, withList } from "./lists.ts";
import { isConnected, withNotice, withoutOldNotice } from "./notice.ts";
import type { Effect, Step, TuiEvent, TuiState } from "./state.ts";

/** How often it is asked again why a cluster is as it is, while somebody looks at it. */
const askEveryMs = 5_000;

/** What an event makes of the state, and what is to be done because of it. */
export function reduce(state: TuiState, event: TuiEvent): Step {
  const step = happen(state, event);
  return step.state === state ? step : { ...step, state: inRange(step.state) };
}

function happen(state: TuiState, event: TuiEvent): Step {
  switch (event.type) {
    case "key":
      return pressKey(state, event.key);
    case "resize":
      return { state: { ...state, size: event.size }, effects: [] };
    case "tick":
      return askAgain(withoutOldNotice({ ...state, nowMs: event.nowMs }));
    case "data":
      return { state: { ...state, snapshot: event.snapshot, connection: event.connection }, effects: [] };
    case "explained": {
      const { details } = state;
      if (details?.key !== event.key || state.tab !== "clusters") return { state, effects: [] };
      return { state: { ...state, details: { ...details, explanation: event.explanation } }, effects: [] };
    }
    case "performed":
      return { state: withNotice(state, event.isDone ? "ready" : "failed", event.text), effects: [] };
  }
}

function askAgain(state: TuiState): Step {
  const { details, tab, nowMs } = state;
  const isDue = details !== undefined && tab === "clusters" && nowMs - details.askedMs >= askEveryMs;
  if (!isDue || !isConnected(state)) return { state, effects: [] };
  const effect: Effect = { type: "explain", key: details.key };
  return { state: { ...state, details: { ...details, askedMs: nowMs } }, effects: [effect] };
}

/** The state with everything that is chosen or scrolled within what there is. */
function inRange(state: TuiState): TuiState {
  return helpInRange(detailsInRange(listInRange(state)));
}

function listInRange(state: TuiState): TuiState {
  const rows = visibleRows(state);
  const { key, index: before, top: topBefore } = currentList(state);
  const at = key === undefined ? -1 : rows.findIndex((row) => row.key === key);
  const index = at >= 0 ? at : clamp(before, 0, rows.length - 1);
  const height = pageHeight(state);
  const top = clamp(clamp(topBefore, index - height + 1, index), 0, Math.max(0, rows.length - height));
  // Who has chosen nothing yet stays at the beginning, whatever comes there.
  return withList(state, { key: key === undefined ? undefined : rows[index]?.key, index: Math.max(0, index), top });
}

function detailsInRange(state: TuiState): TuiState {
  const { details } = state;
  if (details === undefined || details.scroll === 0) return state;
  const scroll = clamp(details.scroll, 0, Math.max(0, detailLines(state).length - bodyHeight(state)));
  return { ...state, details: { ...details, scroll } };
}

function helpInRange(state: TuiState): TuiState {
  if (state.help === undefined || state.help === 0) return state;
  return { ...state, help: clamp(state.help, 0, Math.max(0, helpLines(state).length - bodyHeight(state))) };
}
