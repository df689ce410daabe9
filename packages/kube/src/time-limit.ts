import { type Clock, Timeout } from "@butler/std";

export interface TimeLimit {
  readonly clock: Clock;
  readonly limitMs: number;
  /** Ends the work early, with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** What is being done, for the message of the Timeout. */
  readonly action: string;
}

/**
 * Runs work that has to be over in time. When the limit passes or the signal aborts, the promise rejects at once, even
 * if the work pays no attention to the signal it was given.
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
  const timer = clock.after(limitMs, () => stop(new Timeout(`${action}: not done in ${limitMs} ms`)));
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work(ended.signal), stopped.promise]);
  } finally {
    timer.cancel();
    signal?.removeEventListener("abort", onAbort);
  }
}
