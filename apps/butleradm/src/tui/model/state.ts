import type { Tone } from "@butler/api";
import type { Connection } from "../connection.ts";
import { emptySnapshot, type Snapshot } from "../snapshot.ts";
import { allTabs } from "../tabs/all-tabs.ts";
import { type Explanation, type TabId, tabIds } from "../tabs/tab.ts";
import type { Change, Question } from "./offer.ts";

/** A key that was pressed. Letters, digits and everything else that is written come as text, one at a time. */
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

/** How a list is looked at. */
export interface ListState {
  /** The row that is chosen; it stays chosen when others come and go. */
  readonly key: string | undefined;
  readonly index: number;
  /** The first row that is shown. */
  readonly top: number;
  readonly filter: string;
  readonly sort: { readonly column: number; readonly isDescending: boolean };
}

/** The object whose details are shown. */
export interface DetailsState {
  readonly key: string;
  readonly scroll: number;
  /** When it was last asked why it is as it is. */
  readonly askedMs: number;
  readonly explanation: Explanation | undefined;
}

/** A question that waits for its answer. */
export interface DialogState {
  readonly question: Question;
  readonly text: string;
  /** Whether what stands there is still what was offered: the first letter then takes its place. */
  readonly isFresh: boolean;
  readonly fault: string | undefined;
}

/** Everything that the screen is made from. */
export interface TuiState {
  readonly size: { readonly columns: number; readonly rows: number };
  readonly nowMs: number;
  /** What the management cluster is called. */
  readonly context: string;
  readonly snapshot: Snapshot;
  readonly connection: Connection;
  readonly tab: TabId;
  readonly lists: Readonly<Record<TabId, ListState>>;
  readonly isFiltering: boolean;
  readonly details: DetailsState | undefined;
  /** How far the list of keys is scrolled; undefined while it is not shown. */
  readonly help: number | undefined;
  readonly dialog: DialogState | undefined;
  readonly notice: { readonly tone: Tone; readonly text: string; readonly untilMs: number } | undefined;
}

/** What can happen. */
export type TuiEvent =
  | { readonly type: "key"; readonly key: KeyPress }
  | { readonly type: "resize"; readonly size: TuiState["size"] }
  | { readonly type: "tick"; readonly nowMs: number }
  | { readonly type: "data"; readonly snapshot: Snapshot; readonly connection: Connection }
  | { readonly type: "explained"; readonly key: string; readonly explanation: Explanation }
  | { readonly type: "performed"; readonly isDone: boolean; readonly text: string };

/** What is to be done outside. */
export type Effect =
  | { readonly type: "quit" }
  | { readonly type: "explain"; readonly key: string }
  | { readonly type: "perform"; readonly change: Change };

/** What an event leads to. */
export interface Step {
  readonly state: TuiState;
  readonly effects: readonly Effect[];
}

/** The state at the beginning. */
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
