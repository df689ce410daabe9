import type { PairTries } from "@butler/access";
import type { Clock } from "@butler/std";

/** Interval after which one failure is forgotten. */
const forgetOneMs = 15 * 60_000;
const mostPairs = 50_000;

/** Failed sign-ins of an account from one place, in memory: an address, or a device on which it is known. */
export class SignInTries {
  readonly #clock: Clock;
  readonly #pairs = new Map<string, PairTries>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The failures of a pair that still count. */
  of(pair: string): PairTries {
    const tries = this.#pairs.get(pair);
    if (tries === undefined) return { failures: 0, sinceMs: Number.POSITIVE_INFINITY };
    const sinceMs = this.#clock.monotonicMs() - tries.sinceMs;
    return { failures: Math.max(0, tries.failures - Math.floor(sinceMs / forgetOneMs)), sinceMs };
  }

  /** Counts an attempt as failed; called before it is judged, so that concurrent ones count each. */
  count(pair: string): void {
    const failures = this.of(pair).failures + 1;
    // Reinsert, so that the first entry of the map is the least recently active one.
    this.#pairs.delete(pair);
    this.#pairs.set(pair, { failures, sinceMs: this.#clock.monotonicMs() });
    const oldest = this.#pairs.keys().next();
    if (this.#pairs.size > mostPairs && oldest.done !== true) this.#pairs.delete(oldest.value);
  }

  /** Forgets the failures of a pair, after the right password. */
  forget(pair: string): void {
    this.#pairs.delete(pair);
  }
}
