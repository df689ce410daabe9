import { Box, Text, useInput } from "ink";
import { createElement, type ReactElement, useSyncExternalStore } from "react";
import { pressedKeys } from "./pressed-keys.ts";
import type { Store } from "./store.ts";
import type { Line, Look, Span } from "./view/line.ts";
import { screenOf } from "./view/screen.ts";

/** State and settings of the screen. */
export interface AppProps {
  readonly store: Store;
  readonly hasColours: boolean;
}

/** The dashboard. Only renders the state; all logic is elsewhere. */
export function App({ store, hasColours }: AppProps): ReactElement {
  const state = useSyncExternalStore(store.subscribe, store.state);
  useInput((input, key) => {
    for (const each of pressedKeys(input, key)) store.dispatch({ type: "key", key: each });
  });
  const lines = screenOf(state).map((line, at) => createElement(ScreenLine, { key: at, line, hasColours }));
  return createElement(Box, { flexDirection: "column", width: state.size.columns, height: state.size.rows }, lines);
}

function ScreenLine({ line, hasColours }: { readonly line: Line; readonly hasColours: boolean }): ReactElement {
  const text = line.map((span) => painted(span, hasColours)).join("");
  // An empty line would have no height.
  return createElement(Text, { wrap: "truncate" }, text === "" ? " " : text);
}

/**
 * Codes of ECMA-48. Ink has its own colors, but decides by its own rules whether a terminal gets them; the dashboard
 * follows the rule of all commands.
 */
const colours: Readonly<Partial<Record<Look, string>>> = {
  ready: "32",
  working: "36",
  attention: "33",
  failed: "31",
  asleep: "34",
  unknown: "90",
  active: "36",
};

const weights: Readonly<Partial<Record<Look, string>>> = {
  failed: "1",
  attention: "1",
  strong: "1",
  active: "1",
  faint: "2",
  selected: "7",
};

function painted({ text, look }: Span, hasColours: boolean): string {
  if (look === undefined) return text;
  const codes = [weights[look], hasColours ? colours[look] : undefined].filter((code) => code !== undefined);
  return codes.length === 0 || text === "" ? text : `\u001B[${codes.join(";")}m${text}\u001B[0m`;
}
