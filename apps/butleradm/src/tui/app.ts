import { Box, Text, type TextProps, useInput } from "ink";
import { createElement, type ReactElement, useSyncExternalStore } from "react";
import { pressedKeys } from "./pressed-keys.ts";
import type { Store } from "./store.ts";
import type { Line, Look } from "./view/line.ts";
import { screenOf } from "./view/screen.ts";

/** What the screen shows, and where its keys go. */
export interface AppProps {
  readonly store: Store;
  readonly hasColours: boolean;
}

/** The dashboard. All of it is decided elsewhere; here it only becomes a screen. */
export function App({ store, hasColours }: AppProps): ReactElement {
  const state = useSyncExternalStore(store.subscribe, store.state);
  useInput((input, key) => {
    for (const each of pressedKeys(input, key)) store.dispatch({ type: "key", key: each });
  });
  const lines = screenOf(state).map((line, at) => createElement(ScreenLine, { key: at, line, hasColours }));
  return createElement(Box, { flexDirection: "column", width: state.size.columns, height: state.size.rows }, lines);
}

function ScreenLine({ line, hasColours }: { readonly line: Line; readonly hasColours: boolean }): ReactElement {
  const spans = line.map(({ text, look }, at) =>
    createElement(Text, { key: at, ...(look === undefined ? {} : propsOf(look, hasColours)) }, text),
  );
  // A line without any text would have no height.
  return createElement(Text, { wrap: "truncate" }, ...(line.every(({ text }) => text === "") ? [" "] : spans));
}

const colours: Readonly<Record<Look, Pick<TextProps, "color">>> = {
  ready: { color: "green" },
  working: { color: "cyan" },
  attention: { color: "yellow" },
  failed: { color: "red" },
  asleep: { color: "blue" },
  unknown: { color: "gray" },
  strong: {},
  faint: {},
  selected: {},
  active: { color: "cyan" },
};

const weights: Readonly<Partial<Record<Look, TextProps>>> = {
  failed: { bold: true },
  attention: { bold: true },
  strong: { bold: true },
  active: { bold: true },
  faint: { dimColor: true },
  selected: { inverse: true },
};

function propsOf(look: Look, hasColours: boolean): TextProps {
  return { ...weights[look], ...(hasColours ? colours[look] : {}) };
}
