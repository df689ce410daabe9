/** Maximum duration of a step before other tasks get a turn. */
const stepMs = 5;

/** Pending steps. */
const waiting: (() => void)[] = [];

/**
 * Yields to the event loop during long work. However many such tasks are running, only one of them makes a step in each
 * turn of the event loop.
 */
export class Pacer {
  /** The first step waits as well: thirty tasks that start at once would otherwise form one long step. */
  #startedMs = -Infinity;

  /** Whether it is time for a pause. */
  get isDue(): boolean {
    return performance.now() - this.#startedMs > stepMs;
  }

  /** Waits for the next step. */
  async pause(signal?: AbortSignal): Promise<void> {
    await new Promise<void>((proceed) => {
      waiting.push(proceed);
      if (waiting.length === 1) setImmediate(proceedOne);
    });
    signal?.throwIfAborted();
    this.#startedMs = performance.now();
  }
}

/** Runs in the next turn of the event loop, after timers and I/O. */
function proceedOne(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(proceedOne);
}
