import type { Clock, Timer } from "@butler/std";

interface Waiting {
  readonly dueAtMs: number;
  readonly run: () => void;
}

/** A clock for tests that stands still until it is moved by hand. */
export class ManualClock implements Clock {
  readonly #waiting = new Set<Waiting>();
  #elapsedMs = 0;

  /** Timers that have neither run nor been cancelled. */
  get pendingTimers(): number {
    return this.#waiting.size;
  }

  now(): Date {
    return new Date(Date.UTC(2030, 0, 1) + this.#elapsedMs);
  }

  monotonicMs(): number {
    return this.#elapsedMs;
  }

  after(delayMs: number, run: () => void): Timer {
    const waiting = { dueAtMs: this.#elapsedMs + Math.max(0, delayMs), run };
    this.#waiting.add(waiting);
    return { cancel: () => this.#waiting.delete(waiting) };
  }

  /** Lets everything run that can run without time passing. */
  settle(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
  }

  /** Moves on, timer by timer in the order in which they are due, and lets each one's consequences happen. */
  async advance(byMs: number): Promise<void> {
    const targetMs = this.#elapsedMs + byMs;
    await this.settle();
    for (let next = this.#nextDue(targetMs); next !== undefined; next = this.#nextDue(targetMs)) {
      this.#waiting.delete(next);
      this.#elapsedMs = Math.max(this.#elapsedMs, next.dueAtMs);
      next.run();
      await this.settle();
    }
    this.#elapsedMs = targetMs;
  }

  /** The same time as seen by somebody whose clocks are set differently. */
  skewedBy(skewMs: number): Clock {
    return {
      now: () => new Date(this.now().getTime() + skewMs),
      monotonicMs: () => this.monotonicMs() + Math.abs(skewMs),
      after: (delayMs, run) => this.after(delayMs, run),
    };
  }

  #nextDue(targetMs: number): Waiting | undefined {
    let next: Waiting | undefined;
    for (const waiting of this.#waiting) {
      if (waiting.dueAtMs <= targetMs && (next === undefined || waiting.dueAtMs < next.dueAtMs)) next = waiting;
    }
    return next;
  }
}
