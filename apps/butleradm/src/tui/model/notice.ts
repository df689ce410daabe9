import type { Tone } from "@butler/api";
import type { TuiState } from "./state.ts";

/** Duration of notices; failures stay longer. */
const shownMs: Readonly<Record<Tone, number>> = {
  ready: 8_000,
  working: 60_000,
  attention: 15_000,
  failed: 30_000,
  asleep: 8_000,
  unknown: 8_000,
};

/** The state with a notice. */
export function withNotice(state: TuiState, tone: Tone, text: string): TuiState {
  return { ...state, notice: { tone, text, untilMs: state.nowMs + shownMs[tone] } };
}

/** The state without an expired notice. */
export function withoutOldNotice(state: TuiState): TuiState {
  return state.notice !== undefined && state.notice.untilMs <= state.nowMs ? { ...state, notice: undefined } : state;
}

/** Whether the data is current. */
export function isConnected({ connection }: TuiState): boolean {
  return connection.state === "live";
}
