import { Timeout } from "@butler/std";

export interface EventuallyOptions {
  readonly timeoutMs?: number;
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
  { timeoutMs = 30_000, intervalMs = 20, what = "the condition" }: EventuallyOptions = {},
): Promise<Truthy<T>> {
  const deadline = performance.now() + timeoutMs;
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
    if (performance.now() > deadline) {
      const text = typeof what === "string" ? what : what();
      throw new Timeout(`timed out after ${timeoutMs} ms waiting for ${text}`, { cause: lastError });
    }
    // A look that takes long, such as a call of kubectl, leaves the processor to what is awaited for as long again.
    const pauseMs = Math.max(intervalMs, performance.now() - lookedAt);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
