import { type Clock, formatDuration, Timeout } from "@butler/std";
import { Interrupted } from "./cli-errors.ts";
import type { Progress } from "./progress.ts";

/** Result of one observation: done, still waiting, or failed for good. */
export type Verdict =
  | { readonly state: "done" }
  | { readonly state: "waiting"; readonly for: string }
  | { readonly state: "failed"; readonly error: Error };

export interface WaitOptions<T> {
  /** What to wait for, as the end of a sentence: `blue to be ready`. */
  readonly what: string;
  /** Yields each observed state until the signal aborts. */
  readonly observe: (signal: AbortSignal) => AsyncIterable<T>;
  readonly judge: (observed: T) => Verdict;
  /** Lines to print for a change; `before` is undefined for the first observation. */
  readonly tell?: (before: T | undefined, after: T) => readonly string[];
  readonly timeoutMs: number;
  /** What to do after a timeout or interrupt, as a sentence. */
  readonly hint: string;
  readonly progress: Progress;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Waits until the condition is met, and reports progress meanwhile. */
export async function waitUntil<T>(options: WaitOptions<T>): Promise<T> {
  const { what, timeoutMs, hint, progress, clock, signal } = options;
  signal.throwIfAborted();
  const ended = new AbortController();
  const timeUp = new Timeout("timed out");
  const timer = clock.after(timeoutMs, () => ended.abort(timeUp));
  const onInterrupt = (): void => ended.abort(signal.reason);
  signal.addEventListener("abort", onInterrupt, { once: true });
  const latest = { waitingFor: "no status received yet" };
  try {
    return await follow(options, ended.signal, latest);
  } catch (error) {
    if (signal.aborted) throw new Interrupted(`stopped waiting for ${what}`, { hint, details: detailsOf(signal) });
    if (!ended.signal.aborted) throw error;
    const limit = formatDuration(timeoutMs);
    throw new Timeout(`timed out waiting for ${what} after ${limit}: ${latest.waitingFor}`, { hint });
  } finally {
    timer.cancel();
    signal.removeEventListener("abort", onInterrupt);
    ended.abort();
    progress.stop();
  }
}

async function follow<T>(
  { what, observe, judge, tell, progress }: WaitOptions<T>,
  signal: AbortSignal,
  latest: { waitingFor: string },
): Promise<T> {
  let before: T | undefined;
  progress.waiting(`waiting for ${what}`);
  for await (const observed of observe(signal)) {
    signal.throwIfAborted();
    for (const line of tell?.(before, observed) ?? []) progress.line(line);
    before = observed;
    const verdict = judge(observed);
    if (verdict.state === "done") return observed;
    if (verdict.state === "failed") throw verdict.error;
    latest.waitingFor = verdict.for;
    progress.waiting(`waiting for ${what}: ${verdict.for}`);
  }
  signal.throwIfAborted();
  throw new Timeout(`the watch ended while waiting for ${what}`);
}

/** The signal determines the exit code. */
function detailsOf({ reason }: AbortSignal): Interrupted["details"] {
  return reason instanceof Interrupted ? reason.details : {};
}
