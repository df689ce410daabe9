/** Long work in small steps: others get their turn at least this often. */
const stepMs = 5;

/** Pending steps. */
const waiting: (() => void)[] = [];

/**
 * Yields to the event loop during long work. However many such tasks are running, only one of them makes a step in each
 * turn of the event loop.
 */
export class Pacer {
  /** The first step is waited for as well: thirty works that begin at once would be one long step. */
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

/** What is scheduled here runs in the next turn, after timers and whatever has arrived. */
function proceedOne(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(proceedOne);
}
