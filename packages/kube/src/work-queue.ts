import { backoffDelayMs, type BackoffPolicy, type Clock, systemClock, type Timer } from "@butler/std";

export interface WorkQueueOptions {
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly backoff?: BackoffPolicy;
  /** Called when the number of waiting keys changes. */
  readonly onDepth?: (depth: number) => void;
}

/** `live` keys were just changed and go first; `backlog` keys come from startup or periodic resyncs. */
export type Lane = "live" | "backlog";

const defaultBackoff: BackoffPolicy = { initialMs: 100, maximumMs: 300_000, factor: 2, jitter: 0.3 };

interface Delayed {
  readonly timer: Timer;
  readonly dueAtMs: number;
}

/**
 * A work queue of keys. A key is queued at most once however often it is added; it is never processed concurrently;
 * when it is added during processing, it is requeued afterwards.
 */
export class WorkQueue {
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #backoff: BackoffPolicy;
  readonly #onDepth: (depth: number) => void;
  readonly #lanes: Record<Lane, Set<string>> = { live: new Set(), backlog: new Set() };
  readonly #working = new Set<string>();
  readonly #again = new Map<string, Lane>();
  readonly #delayed = new Map<string, Delayed>();
  readonly #failures = new Map<string, number>();
  readonly #idleWorkers: ((key: string | undefined) => void)[] = [];
  #isClosed = false;

  constructor(options: WorkQueueOptions = {}) {
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
    this.#backoff = options.backoff ?? defaultBackoff;
    this.#onDepth = options.onDepth ?? (() => undefined);
  }

  /** Keys that wait for a worker now, without delayed ones. */
  get depth(): number {
    return this.#lanes.live.size + this.#lanes.backlog.size;
  }

  /** Keys in progress. */
  get inProgress(): number {
    return this.#working.size;
  }

  /** Delayed keys. */
  get delayed(): number {
    return this.#delayed.size;
  }

  /** Adds a key. A key in the backlog that is added as live moves up. */
  add(key: string, lane: Lane = "live"): void {
    if (this.#isClosed) return;
    if (this.#working.has(key)) {
      if (this.#again.get(key) !== "live") this.#again.set(key, lane);
      return;
    }
    if (this.#lanes.live.has(key)) return;
    if (lane === "live") this.#lanes.backlog.delete(key);
    this.#lanes[lane].add(key);
    this.#onDepth(this.depth);
    this.#feed();
  }

  /** Adds a key after a delay. Of several delays for one key the shortest wins. */
  addAfter(key: string, delayMs: number): void {
    if (this.#isClosed) return;
    const dueAtMs = this.#clock.monotonicMs() + delayMs;
    const earlier = this.#delayed.get(key);
    if (earlier !== undefined && earlier.dueAtMs <= dueAtMs) return;
    earlier?.timer.cancel();
    const timer = this.#clock.after(delayMs, () => {
      this.#delayed.delete(key);
      this.add(key, "backlog");
    });
    this.#delayed.set(key, { timer, dueAtMs });
  }

  /** Adds a key after a delay that grows with consecutive failures; returns the delay. */
  addAfterFailure(key: string): number {
    const failures = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, failures);
    const delayMs = backoffDelayMs(this.#backoff, failures, this.#random);
    this.addAfter(key, delayMs);
    return delayMs;
  }

  /** Postpones a delayed key. */
  postpone(key: string, delayMs: number): void {
    this.#delayed.get(key)?.timer.cancel();
    this.#delayed.delete(key);
    this.addAfter(key, delayMs);
  }

  /** Consecutive failures of a key. */
  failuresOf(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  /** Resets the failures of a key: its next failure starts with the shortest delay. */
  forget(key: string): void {
    this.#failures.delete(key);
  }

  /** The next key, once available; undefined when the queue is closed. `done` must follow. */
  next(): Promise<string | undefined> {
    if (this.#isClosed) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#idleWorkers.push(resolve);
      this.#feed();
    });
  }

  /** Marks the work on a key as done. */
  done(key: string): void {
    this.#working.delete(key);
    const lane = this.#again.get(key);
    this.#again.delete(key);
    if (lane !== undefined) this.add(key, lane);
  }

  /** Works through the keys one at a time until the queue is closed. Rejects when the work on a key does. */
  async drain(work: (key: string) => Promise<void>): Promise<void> {
    for (let key = await this.next(); key !== undefined; key = await this.next()) {
      try {
        await work(key);
      } finally {
        this.done(key);
      }
    }
  }

  /** Hands out no more keys and drops waiting ones. Work in progress continues. */
  close(): void {
    this.#isClosed = true;
    for (const { timer } of this.#delayed.values()) timer.cancel();
    this.#delayed.clear();
    this.#lanes.live.clear();
    this.#lanes.backlog.clear();
    this.#onDepth(0);
    for (const resolve of this.#idleWorkers.splice(0)) resolve(undefined);
  }

  #feed(): void {
    while (this.#idleWorkers.length > 0) {
      const lane = this.#lanes.live.size > 0 ? this.#lanes.live : this.#lanes.backlog;
      const [key] = lane;
      if (key === undefined) return;
      lane.delete(key);
      // Processing it now makes its delayed requeue obsolete.
      this.#delayed.get(key)?.timer.cancel();
      this.#delayed.delete(key);
      this.#working.add(key);
      this.#onDepth(this.depth);
      this.#idleWorkers.shift()?.(key);
    }
  }
}
