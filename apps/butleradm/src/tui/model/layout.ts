import { currentTab } from "./lists.ts";
import type { TuiState } from "./state.ts";

/** Lines above the body: title, tabs and a rule. */
export const linesAbove = 3;

/** Lines below the body: status and keys. */
export const linesBelow = 2;

/** Minimum size of the terminal. */
export const smallestSize = { columns: 40, rows: 10 } as const;

/** Whether the terminal is large enough to show anything. */
export function isLargeEnough({ size }: TuiState): boolean {
  return size.columns >= smallestSize.columns && size.rows >= smallestSize.rows;
}

/** Number of lines of the body. */
export function bodyHeight({ size }: TuiState): number {
  return Math.max(1, size.rows - linesAbove - linesBelow);
}

/** Number of visible rows of the current list. */
export function pageHeight(state: TuiState): number {
  const summary = currentTab(state).summary?.(state.snapshot, state.size.columns).length ?? 0;
  return Math.max(1, bodyHeight(state) - summary - 1);
}

/** Clamps a number between two others; the lower one wins. */
export function clamp(value: number, lowest: number, highest: number): number {
  return Math.max(lowest, Math.min(value, highest));
}
