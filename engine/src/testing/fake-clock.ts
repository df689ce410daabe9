import type { Clock } from "@butler/std";

/** A clock that advances only on request; it has no timers. */
export class FakeClock implements Clock {
  #nowMs = 0;

  now(): Date {
    return new Date(this.#nowMs);
  }

  monotonicMs(): number {
    return this.#nowMs;
  }

  after(): { cancel(): void } {
    throw new Error("this clock has no timers");
  }

  advance(durationMs: number): void {
    this.#nowMs += durationMs;
  }
}
