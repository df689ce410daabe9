import { FakeClock } from "@butler/testkit";
import type { Terminal } from "../terminal.ts";
import { plainPaint } from "../style.ts";

/** A terminal that records its output. */
export interface PaperTerminal extends Terminal {
  readonly clock: FakeClock;
  readonly printed: string[];
  readonly said: string[];
  /** Everything on standard error, in order. */
  readonly written: { text: string };
  readonly stop: (reason: Error) => void;
}

/** A terminal for a test. */
export function paperTerminal(traits: Partial<Terminal> = {}): PaperTerminal {
  const [printed, said, written] = [[] as string[], [] as string[], { text: "" }];
  const stopping = new AbortController();
  return {
    print: (text) => void printed.push(text),
    say: (text) => {
      said.push(text);
      written.text += `${text}\n`;
    },
    write: (text) => {
      // Errors are recorded line by line; progress overwrites its line and has no newline.
      if (text.endsWith("\n")) said.push(...text.trimEnd().split("\n"));
      written.text += text;
    },
    isInteractive: false,
    isAnimated: false,
    width: 40,
    paint: plainPaint,
    sayPaint: plainPaint,
    signal: stopping.signal,
    ask: () => Promise.resolve(""),
    readInput: () => Promise.resolve(""),
    environment: {},
    ...traits,
    clock: new FakeClock(),
    printed,
    said,
    written,
    stop: (reason) => stopping.abort(reason),
  };
}
