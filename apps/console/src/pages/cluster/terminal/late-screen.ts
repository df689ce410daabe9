import type { Screen } from "./screen.ts";

/** How a screen is loaded. */
export interface LateScreenOptions {
  readonly load: () => Promise<Screen>;
  readonly onFailure: (error: unknown) => void;
}

/**
 * A screen whose code is loaded lazily: it is a third of the console bundle and needed only for terminals. Output that
 * arrives earlier is buffered.
 */
export function lateScreen({ load, onFailure }: LateScreenOptions): Screen {
  const held: { screen?: Screen; isOver: boolean } = { isOver: false };
  let waiting: ((screen: Screen) => void)[] = [];
  const withScreen = (work: (screen: Screen) => void): void => {
    if (held.screen === undefined) waiting.push(work);
    else work(held.screen);
  };
  const arrive = (screen: Screen): void => {
    if (held.isOver) return screen.dispose();
    held.screen = screen;
    for (const work of waiting) work(screen);
    waiting = [];
  };
  load().then(arrive, (error: unknown) => !held.isOver && onFailure(error));
  return {
    write: (bytes) => withScreen((screen) => screen.write(bytes)),
    clear: () => withScreen((screen) => screen.clear()),
    focus: () => withScreen((screen) => screen.focus()),
    dispose: () => {
      held.isOver = true;
      held.screen?.dispose();
    },
  };
}
