import { render } from "ink";
import { createElement } from "react";
import { App, type AppProps } from "./app.ts";

/** What showing the dashboard needs. */
export interface ScreenOptions extends AppProps {
  /** Ends the dashboard when it aborts. */
  readonly signal: AbortSignal;
}

/** How often ages are counted anew. */
const tickMs = 1_000;

/**
 * Shows the dashboard until the signal aborts. However it ends, by a key, a signal or a fault of its own, the terminal is
 * left as it was; a fault is thrown once it is.
 */
export async function showScreen({ store, hasColours, signal }: ScreenOptions): Promise<void> {
  const { stdout } = process;
  const ended = Promise.withResolvers<void>();
  const onFault = (error: unknown): void => ended.reject(error);
  const onEnd = (): void => ended.resolve();
  const onResize = (): void => store.dispatch({ type: "resize", size: { columns: stdout.columns, rows: stdout.rows } });
  // Others listen for them, too, and end the program by the signal above; Ink would end it at once where it is alone.
  const onSignal = (): void => undefined;
  signal.addEventListener("abort", onEnd, { once: true });
  process.on("uncaughtException", onFault).on("SIGINT", onSignal).on("SIGTERM", onSignal);
  stdout.on("resize", onResize);
  const screen = render(createElement(App, { store, hasColours }), {
    alternateScreen: true,
    incrementalRendering: true,
    exitOnCtrlC: false,
    interactive: true,
  });
  const timer = setInterval(() => store.dispatch({ type: "tick", nowMs: Date.now() }), tickMs);
  try {
    if (signal.aborted) onEnd();
    await Promise.race([ended.promise, screen.waitUntilExit()]);
  } finally {
    clearInterval(timer);
    stdout.off("resize", onResize);
    screen.unmount();
    await screen.waitUntilExit().catch(() => undefined);
    process.off("uncaughtException", onFault).off("SIGINT", onSignal).off("SIGTERM", onSignal);
    signal.removeEventListener("abort", onEnd);
  }
}
