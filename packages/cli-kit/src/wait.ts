import { type Clock, formatDuration, Timeout } from "@butler/std";
import { Interrupted } from "./cli-errors.ts";
import type { Progress } from "./progress.ts";

/** What one look at the thing says: it is there, it will take longer, or it will never come. */
export type Verdict =
  | { readonly state: "done" }
  | { readonly state: "waiting"; readonly for: string }
  | { readonly state: "failed"; readonly error: Error };

export interface WaitOptions<T> {
  /** What is awaited, as the end of a sentence: `blue to be ready`. */
  readonly what: string;
  /** Each state of the thing, as it comes about, until the signal aborts. */
  readonly observe: (signal: AbortSignal) => AsyncIterable<T>;
  readonly judge: (observed: T) => Verdict;
  /** Lines to say about a change; the first look has nothing before it. */
  readonly tell?: (before: T | undefined, after: T) => readonly string[];
  readonly timeoutMs: number;
  /** What to do when the time is up or the person has had enough, as a sentence. */
  readonly hint: string;
  readonly progress: Progress;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Waits until a thing is as it should be, telling what happens on the way. */
export async function waitUntil<T>(options: WaitOptions<T>): Promise<T> {
  const { what, timeoutMs, hint, progress, clock, signal } = options;
  signal.throwIfAborted();
  const ended = new AbortController();
  const timeUp = new Timeout("the time is up");
  const timer = clock.after(timeoutMs, () => ended.abort(timeUp));
  const onInterrupt = (): void => ended.abort(signal.reason);
  signal.addEventListener("abort", onInterrupt, { once: true });
  const latest = { waitingFor: "nothing was seen of it yet" };
  try {
    return await follow(options, ended.signal, latest);
  } catch (error) {
    if (signal.aborted) throw new Interrupted(`stopped waiting for ${what}`, { hint, details: detailsOf(signal) });
    if (!ended.signal.aborted) throw error;
    const limit = formatDuration(timeoutMs);
    throw new Timeout(`gave up waiting for ${what} after ${limit}: ${latest.waitingFor}`, { hint });
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
  throw new Timeout(`nothing more was heard while waiting for ${what}`);
}

/** How the command was stopped decides what code it ends with. */
function detailsOf({ reason }: AbortSignal): Interrupted["details"] {
  return reason instanceof Interrupted ? reason.details : {};
}
