import type { Tone } from "@butler/api";
import type { Connection } from "../connection.ts";
import { emptySnapshot, type Snapshot } from "../snapshot.ts";
import { allTabs } from "../tabs/all-tabs.ts";
import { type Explanation, type TabId, tabIds } from "../tabs/tab.ts";
import type { Change, Question } from "./offer.ts";

/** A pressed key. Printable characters come as text, one at a time. */
export type KeyPress =
  | { readonly name: "text"; readonly text: string }
  | {
      readonly name:
        | "up"
        | "down"
        | "left"
        | "right"
        | "pageUp"
        | "pageDown"
        | "home"
        | "end"
        | "enter"
        | "escape"
        | "tab"
        | "backTab"
        | "backspace"
        | "clear"
        | "interrupt";
    };

/** View state of a list. */
export interface ListState {
  /** The selected row; it stays selected when other rows change. */
  readonly key: string | undefined;
  readonly index: number;
  /** The first visible row. */
  readonly top: number;
  readonly filter: string;
  readonly sort: { readonly column: number; readonly isDescending: boolean };
}

/** The object whose details are shown. */
export interface DetailsState {
  readonly key: string;
  readonly scroll: number;
  /** Time of the last diagnosis. */
  readonly askedMs: number;
  readonly explanation: Explanation | undefined;
}

/** An open question. */
export interface DialogState {
  readonly question: Question;
  readonly text: string;
  /** Whether the text is still the initial one, which the first letter replaces. */
  readonly isFresh: boolean;
  readonly fault: string | undefined;
}

/** The complete state of the screen. */
export interface TuiState {
  readonly size: { readonly columns: number; readonly rows: number };
  readonly nowMs: number;
  /** Name of the management cluster's context. */
  readonly context: string;
  readonly snapshot: Snapshot;
  readonly connection: Connection;
  readonly tab: TabId;
  readonly lists: Readonly<Record<TabId, ListState>>;
  readonly isFiltering: boolean;
  readonly details: DetailsState | undefined;
  /** Scroll position of the help; undefined while it is hidden. */
  readonly help: number | undefined;
  readonly dialog: DialogState | undefined;
  readonly notice: { readonly tone: Tone; readonly text: string; readonly untilMs: number } | undefined;
}

/** Events of the dashboard. */
export type TuiEvent =
  | { readonly type: "key"; readonly key: KeyPress }
  | { readonly type: "resize"; readonly size: TuiState["size"] }
  | { readonly type: "tick"; readonly nowMs: number }
  | { readonly type: "data"; readonly snapshot: Snapshot; readonly connection: Connection }
  | { readonly type: "explained"; readonly key: string; readonly explanation: Explanation }
  | { readonly type: "performed"; readonly isDone: boolean; readonly text: string };

/** Side effects. */
export type Effect =
  | { readonly type: "quit" }
  | { readonly type: "explain"; readonly key: string }
  | { readonly type: "perform"; readonly change: Change };

/** Result of an event. */
export interface Step {
  readonly state: TuiState;
  readonly effects: readonly Effect[];
}

/** The initial state. */
export function initialState(given: Pick<TuiState, "size" | "nowMs" | "context">): TuiState {
  const lists = Object.fromEntries(
    tabIds.map((id) => [id, { key: undefined, index: 0, top: 0, filter: "", sort: allTabs[id].sort }]),
  ) as unknown as TuiState["lists"];
  return {
    ...given,
    snapshot: emptySnapshot,
    connection: { state: "connecting" },
    tab: "overview",
    lists,
    isFiltering: false,
    details: undefined,
    help: undefined,
    dialog: undefined,
    notice: undefined,
  };
}
