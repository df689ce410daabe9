import { Timeout } from "@butler/std";

export interface EventuallyOptions {
  readonly timeoutMs?: number;
  /** Pause between two attempts. Defaults to a twentieth of the time waited so far, from 20 to 250 ms. */
  readonly intervalMs?: number;
  /**
   * Description of the condition for the error message; a function is called on failure, so that it can report the
   * latest state.
   */
  readonly what?: string | (() => string);
}

type Truthy<T> = Exclude<T, false | null | undefined | 0 | "">;

/**
 * Waits until a condition returns a truthy value, and throws an error that names it otherwise. An error thrown by the
 * condition counts as "not yet".
 */
export async function eventually<T>(
  condition: () => T | Promise<T>,
  { timeoutMs = 30_000, intervalMs, what = "the condition" }: EventuallyOptions = {},
): Promise<Truthy<T>> {
  const startedAt = performance.now();
  let lastError: unknown;
  for (;;) {
    const lookedAt = performance.now();
    try {
      const value = await condition();
      if (value) return value as Truthy<T>;
      lastError = undefined;
    } catch (error) {
      lastError = error;
    }
    const waitedMs = performance.now() - startedAt;
    if (waitedMs > timeoutMs) {
      const text = typeof what === "string" ? what : what();
      throw new Timeout(`timed out after ${timeoutMs} ms waiting for ${text}`, { cause: lastError });
    }
    // A slow attempt, such as a call of kubectl, leaves the CPU to the awaited work for at least as long.
    const pauseMs = Math.max(intervalMs ?? growingPauseMs(waitedMs), performance.now() - lookedAt);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** Long waits need no precise end: polling them as often as short ones would take CPU time from the awaited work. */
function growingPauseMs(waitedMs: number): number {
  return Math.min(250, Math.max(20, waitedMs / 20));
}
