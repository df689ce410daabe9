import { Timeout } from "@butler/std";

export interface EventuallyOptions {
  readonly timeoutMs?: number;
  readonly intervalMs?: number;
  /** What is awaited, for the message when it does not come; called then, so that it can tell what there was. */
  readonly what?: string | (() => string);
}

type Truthy<T> = Exclude<T, false | null | undefined | 0 | "">;

/** Waits until a condition holds (gives something truthy), and fails saying what did not happen. An error thrown by it counts as "not yet". */
export async function eventually<T>(
  condition: () => T | Promise<T>,
  { timeoutMs = 30_000, intervalMs = 20, what = "the condition" }: EventuallyOptions = {},
): Promise<Truthy<T>> {
  const deadline = performance.now() + timeoutMs;
  let lastError: unknown;
  for (;;) {
    try {
      const value = await condition();
      if (value) return value as Truthy<T>;
      lastError = undefined;
    } catch (error) {
      lastError = error;
    }
    if (performance.now() > deadline) {
      const text = typeof what === "string" ? what : what();
      throw new Timeout(`${text} did not come about in ${timeoutMs} ms`, { cause: lastError });
    }
    await new Promise((resolve) => setTimeout(resolve, intervalMs));
  }
}
