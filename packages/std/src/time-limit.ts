import type { Clock } from "./clock.ts";
import { Timeout } from "./errors.ts";

export interface TimeLimit {
  readonly clock: Clock;
  readonly limitMs: number;
  /** Ends the work early, with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** The action, for the message of the Timeout. */
  readonly action: string;
}

/**
 * Runs work with a time limit. When the limit passes or the signal aborts, the promise rejects at once, even if the
 * work pays no attention to the signal it was given.
 */
export async function withTimeLimit<T>(
  { clock, limitMs, signal, action }: TimeLimit,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const ended = new AbortController();
  const stopped = Promise.withResolvers<never>();
  const stop = (reason: unknown): void => {
    stopped.reject(reason);
    ended.abort(reason);
  };
  const onAbort = (): void => stop(signal?.reason);
  const timer = clock.after(limitMs, () => stop(new Timeout(`${action}: timed out after ${limitMs} ms`)));
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work(ended.signal), stopped.promise]);
  } finally {
    timer.cancel();
    signal?.removeEventListener("abort", onAbort);
  }
}
