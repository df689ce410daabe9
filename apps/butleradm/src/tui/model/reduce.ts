import { detailLines } from "../view/details-view.ts";
import { helpLines } from "../view/help-view.ts";
import { pressKey } from "./keys.ts";
import { bodyHeight, clamp, pageHeight } from "./layout.ts";
import { currentList, visibleRows, withList } from "./lists.ts";
import { isConnected, withNotice, withoutOldNotice } from "./notice.ts";
import type { Effect, Step, TuiEvent, TuiState } from "./state.ts";

/** Interval of diagnoses while the details of a cluster are open. */
const askEveryMs = 5_000;

/** The next state after an event, and its side effects. */
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

/** The state with selections and scroll positions in range. */
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
  // Without a selection, stay at the first row, whatever it is.
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
