import { type Clock, formatIpAddress, parseIpAddress, systemClock } from "@butler/std";

/** Rate limit of an address: a burst, and a sustained rate per second. */
export interface RateLimit {
  readonly burst: number;
  readonly perSecond: number;
}

/** Maximum number of tracked addresses, so that clients cannot exhaust memory. */
const mostAddresses = 20_000;

interface Bucket {
  tokens: number;
  atMs: number;
}

/** Limits the rate of requests per address. */
export class RateLimiter {
  readonly #limit: RateLimit;
  readonly #clock: Clock;
  readonly #buckets = new Map<string, Bucket>();

  constructor(limit: RateLimit, clock: Clock = systemClock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** Counts a request: undefined if it is allowed, otherwise the seconds to wait. */
  secondsToWait(address: string): number | undefined {
    const { burst, perSecond } = this.#limit;
    const now = this.#clock.monotonicMs();
    const key = networkOf(address);
    const bucket = this.#buckets.get(key) ?? { tokens: burst, atMs: now };
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.atMs) / 1_000) * perSecond);
    bucket.atMs = now;
    // Reinsert, so that the first entry of the map is the least recently active one.
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    this.#forgetSome();
    if (bucket.tokens >= 1) {
      bucket.tokens -= 1;
      return undefined;
    }
    return Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond));
  }

  #forgetSome(): void {
    if (this.#buckets.size <= mostAddresses) return;
    const oldest = this.#buckets.keys().next();
    if (oldest.done !== true) this.#buckets.delete(oldest.value);
  }
}

/** The network by which a client is known: one with an IPv6 address usually controls its whole /64. */
export function networkOf(text: string): string {
  const address = parseIpAddress(text);
  if (address === undefined) return text;
  if (address.family === 4) return formatIpAddress(address);
  return `${formatIpAddress({ family: 6, value: (address.value >> 64n) << 64n })}/64`;
}
