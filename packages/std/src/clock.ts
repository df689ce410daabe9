/** A timer that can be canceled. */
export interface Timer {
  cancel(): void;
}

/** Time as a parameter: production uses `systemClock`, tests a clock that they advance manually. */
export interface Clock {
  now(): Date;
  /** Monotonic milliseconds, for measuring. */
  monotonicMs(): number;
  after(delayMs: number, run: () => void): Timer;
}

/** The largest delay that Node's timers accept; a longer one would fire immediately. */
const longestDelayMs = 2 ** 31 - 1;

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  after: (delayMs, run) => {
    const handle = setTimeout(run, Math.min(Math.max(0, delayMs), longestDelayMs));
    return { cancel: () => clearTimeout(handle) };
  },
};

/** Waits on the given clock; rejects with the signal's reason when the signal aborts. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason as Error);
      return;
    }
    const onAbort = (): void => {
      timer.cancel();
      reject(signal?.reason as Error);
    };
    const timer = clock.after(delayMs, () => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    });
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
