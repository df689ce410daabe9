import { FitAddon } from "@xterm/addon-fit";
import { Terminal } from "@xterm/xterm";
import "@xterm/xterm/css/xterm.css";
import { withoutStyleElements } from "./adopted-styles.ts";
import type { ScreenSize } from "./terminal-session.ts";

/** Host element and callbacks of a screen. */
export interface ScreenOptions {
  readonly host: HTMLElement;
  readonly onType: (text: string) => void;
  readonly onResize: (size: ScreenSize) => void;
}

/** A terminal screen. */
export interface Screen {
  write(bytes: Uint8Array | string): void;
  clear(): void;
  focus(): void;
  dispose(): void;
}

/** The screen is dark in both themes, because programs pick colors for dark terminals. */
const theme = {
  background: "#11141b",
  foreground: "#e4e7ee",
  cursor: "#e4e7ee",
  selectionBackground: "#3a4a6b",
};

/** Opens a screen that fills an element. Selected text is copied. */
export function openScreen({ host, onType, onResize }: ScreenOptions): Screen {
  const terminal = new Terminal({
    theme,
    cursorBlink: !matchMedia("(prefers-reduced-motion: reduce)").matches,
    fontFamily: '"JetBrains Mono Variable", ui-monospace, monospace',
    fontSize: 13,
    scrollback: 5_000,
    screenReaderMode: true,
  });
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  const adopted = withoutStyleElements(document, () => terminal.open(host));
  terminal.onData(onType);
  terminal.onResize(({ cols, rows }) => onResize({ columns: cols, rows }));
  terminal.onSelectionChange(() => copy(terminal.getSelection()));
  const refit = (): void => {
    // A hidden element has no size.
    if (host.clientHeight > 0) fit.fit();
  };
  const sizes = new ResizeObserver(refit);
  sizes.observe(host);
  refit();
  onResize({ columns: terminal.cols, rows: terminal.rows });
  return {
    write: (bytes) => terminal.write(bytes),
    clear: () => terminal.reset(),
    focus: () => terminal.focus(),
    dispose: () => {
      sizes.disconnect();
      terminal.dispose();
      adopted.release();
    },
  };
}

function copy(text: string): void {
  // The clipboard needs a secure context, and browsers may deny access; selection still works.
  if (text !== "" && "clipboard" in navigator) void navigator.clipboard.writeText(text).catch(() => undefined);
}
