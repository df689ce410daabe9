import type { Clock } from "@butler/std";

/** So many codes are told apart; a flood of made-up ones must not fill the memory. */
const mostCodes = 5_000;

/** Remembers when each code was last asked about. Each replica has its own memory: it is manners, not safety. */
export class LastPolls {
  readonly #clock: Clock;
  readonly #atMs = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How long ago the code was last asked about, and that it is asked about now. */
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
