import { lockoutDelayMs } from "@butler/access";
import type { Clock } from "@butler/std";
import { RouteProblem } from "../../http/problem.ts";
import { networkOf } from "../../http/rate-limit.ts";

/** Number of failures per address without a delay: a whole office may share one. */
const freeFailures = 15;
/** Interval after which one failure is forgotten. */
const forgetOneMs = 2 * 60_000;
const mostAddresses = 10_000;

interface Tries {
  readonly failures: number;
  readonly atMs: number;
}

/**
 * Throttles an address with many failed sign-ins, for whichever accounts. Failures expire with time only: a success
 * does not reset them, since an attacker may have an account of their own.
 */
export class AddressGuard {
  readonly #clock: Clock;
  readonly #tries = new Map<string, Tries>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Throws while the address has to wait. */
  requireOpen(address: string): void {
    const tries = this.#tries.get(networkOf(address));
    if (tries === undefined) return;
    const delayMs = lockoutDelayMs(tries.failures - freeFailures);
    const leftMs = tries.atMs + delayMs - this.#clock.monotonicMs();
    if (leftMs <= 0) return;
    const seconds = Math.ceil(leftMs / 1_000);
    throw new RouteProblem("RATE_LIMITED", "too many failed sign-ins from this address", {
      retryAfterSeconds: seconds,
      hint: `Retry in ${seconds} s.`,
    });
  }

  noteFailure(source: string): void {
    const address = networkOf(source);
    const atMs = this.#clock.monotonicMs();
    const { failures = 0, atMs: beforeMs = atMs } = this.#tries.get(address) ?? {};
    const left = Math.max(0, failures - Math.floor((atMs - beforeMs) / forgetOneMs));
    // Reinsert, so that the first entry of the map is the least recently active one.
    this.#tries.delete(address);
    this.#tries.set(address, { failures: left + 1, atMs });
    const oldest = this.#tries.keys().next();
    if (this.#tries.size > mostAddresses && oldest.done !== true) this.#tries.delete(oldest.value);
  }
}
