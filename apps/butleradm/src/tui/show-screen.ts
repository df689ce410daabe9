import { render } from "ink";
import { createElement } from "react";
import { App, type AppProps } from "./app.ts";

/** Options for showing the dashboard. */
export interface ScreenOptions extends AppProps {
  /** Ends the dashboard when it aborts. */
  readonly signal: AbortSignal;
}

/** Interval at which ages are updated. */
const tickMs = 1_000;

/**
 * Shows the dashboard until the signal aborts. The terminal is always restored, whether it ends by a key, a signal or
 * an error; an error is thrown afterwards.
 */
export async function showScreen({ store, hasColours, signal }: ScreenOptions): Promise<void> {
  const { stdout } = process;
  const ended = Promise.withResolvers<void>();
  const onFault = (error: unknown): void => ended.reject(error);
  const onEnd = (): void => ended.resolve();
  const onResize = (): void => store.dispatch({ type: "resize", size: { columns: stdout.columns, rows: stdout.rows } });
  // Other listeners end the program through the signal above; without a listener Ink would exit immediately.
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
