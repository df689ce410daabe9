import type { Clock, Timer } from "@butler/std";

/** A clock that advances only on request, running due timers in order of their time. */
export class FakeClock implements Clock {
  #nowMs: number;
  #timers: { readonly dueMs: number; readonly run: () => void }[] = [];

  constructor(start = new Date("2026-01-01T00:00:00Z")) {
    this.#nowMs = start.getTime();
  }

  now(): Date {
    return new Date(this.#nowMs);
  }

  monotonicMs(): number {
    return this.#nowMs;
  }

  after(delayMs: number, run: () => void): Timer {
    const timer = { dueMs: this.#nowMs + Math.max(0, delayMs), run };
    this.#timers.push(timer);
    return { cancel: () => (this.#timers = this.#timers.filter((other) => other !== timer)) };
  }

  /** Pending timers. */
  get pending(): number {
    return this.#timers.length;
  }

  /** Advances time. Timers that become due run, including those set by other timers on the way. */
  advance(byMs: number): void {
    const endMs = this.#nowMs + byMs;
    for (;;) {
      const next = this.#timers.filter(({ dueMs }) => dueMs <= endMs).sort((a, b) => a.dueMs - b.dueMs)[0];
      if (next === undefined) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#nowMs = next.dueMs;
      next.run();
    }
    this.#nowMs = endMs;
  }
}
