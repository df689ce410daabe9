import type { Clock } from "@butler/std";

/** Maximum number of tracked codes, so that a flood of invented ones cannot exhaust memory. */
const mostCodes = 5_000;

/** Remembers the last poll of each code. Per replica, because the limit is for load, not for security. */
export class LastPolls {
  readonly #clock: Clock;
  readonly #atMs = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the time since the last poll of the code, and records this one. */
  since(id: string): number | undefined {
    const now = this.#clock.monotonicMs();
    const before = this.#atMs.get(id);
    this.#atMs.delete(id);
    this.#atMs.set(id, now);
    const oldest = this.#atMs.size > mostCodes ? this.#atMs.keys().next().value : undefined;
    if (oldest !== undefined) this.#atMs.delete(oldest);
    return before === undefined ? undefined : now - before;
  }
}
