import { type Clock, Timeout } from "@butler/std";

export interface Deadline {
  readonly clock: Clock;
  readonly limitMs: number;
  /** What is being done, for the message. */
  readonly action: string;
  /** Ends the work earlier, with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Runs work with a signal that ends it in time. It rejects in time even when the work does not listen to the signal. */
export async function withDeadline<T>(
  { clock, limitMs, action, signal }: Deadline,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const over = Promise.withResolvers<never>();
  const end = (reason: unknown): void => {
    over.reject(reason);
    controller.abort(reason);
  };
  const onAbort = (): void => end(signal?.reason);
  const timer = clock.after(limitMs, () => end(new Timeout(`${action}: not done in ${limitMs} ms`)));
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work(controller.signal), over.promise]);
  } finally {
    timer.cancel();
    signal?.removeEventListener("abort", onAbort);
  }
}

/** Waits for something that others wait for too, and only as long as this one cares. */
export function whileWanted<T>(shared: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return shared;
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener("abort", onAbort, { once: true });
    shared.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
