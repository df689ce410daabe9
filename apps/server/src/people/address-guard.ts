import { lockoutDelayMs } from "@butler/access";
import type { Clock } from "@butler/std";
import { RouteProblem } from "../http/problem.ts";

/** So many failures of one address are forgiven: a whole office may come from one. */
const freeFailures = 15;
/** One failure is forgotten after each such time. */
const forgetOneMs = 2 * 60_000;
const mostAddresses = 10_000;

interface Tries {
  readonly failures: number;
  readonly atMs: number;
}

/**
 * Slows down an address from which many sign-ins fail, whichever accounts they are about. Only time makes up for
 * failures: a success says nothing about them, since whoever tries other people's passwords may have one account.
 */
export class AddressGuard {
  readonly #clock: Clock;
  readonly #tries = new Map<string, Tries>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Throws while the address has to wait. */
  requireOpen(address: string): void {
    const tries = this.#tries.get(address);
    if (tries === undefined) return;
    const delayMs = lockoutDelayMs(tries.failures - freeFailures);
    const leftMs = tries.atMs + delayMs - this.#clock.monotonicMs();
    if (leftMs <= 0) return;
    const seconds = Math.ceil(leftMs / 1_000);
    throw new RouteProblem("RATE_LIMITED", "too many sign-ins from this address have failed", {
      retryAfterSeconds: seconds,
      hint: `Come again in ${seconds} s.`,
    });
  }

  noteFailure(address: string): void {
    const atMs = this.#clock.monotonicMs();
    const { failures = 0, atMs: beforeMs = atMs } = this.#tries.get(address) ?? {};
    const left = Math.max(0, failures - Math.floor((atMs - beforeMs) / forgetOneMs));
    // Set anew, so that the first of the map is the one that has been silent for longest.
    this.#tries.delete(address);
    this.#tries.set(address, { failures: left + 1, atMs });
    const oldest = this.#tries.keys().next();
    if (this.#tries.size > mostAddresses && oldest.done !== true) this.#tries.delete(oldest.value);
  }
}
