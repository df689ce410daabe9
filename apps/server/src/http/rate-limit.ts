import { type Clock, systemClock } from "@butler/std";

/** How many requests one address may make: so many at once, and so many each second in the long run. */
export interface RateLimit {
  readonly burst: number;
  readonly perSecond: number;
}

/** So many addresses are told apart; more would let anybody fill the memory. */
const mostAddresses = 20_000;

interface Bucket {
  tokens: number;
  atMs: number;
}

/** Counts requests by where they come from, and says when one is too many. */
export class RateLimiter {
  readonly #limit: RateLimit;
  readonly #clock: Clock;
  readonly #buckets = new Map<string, Bucket>();

  constructor(limit: RateLimit, clock: Clock = systemClock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** Takes one request in: undefined when it may go on, and else the seconds to wait. */
  secondsToWait(address: string): number | undefined {
    const { burst, perSecond } = this.#limit;
    const now = this.#clock.monotonicMs();
    const key = networkOf(address);
    const bucket = this.#buckets.get(key) ?? { tokens: burst, atMs: now };
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.atMs) / 1_000) * perSecond);
    bucket.atMs = now;
    // Set anew, so that the first of the map is the one that has been silent for longest.
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

/** Whoever has one IPv6 address usually has all of its network. */
function networkOf(address: string): string {
  if (!address.includes(":") || address.includes(".")) return address;
  const [head = "", tail] = address.split("::");
  const groups = head.split(":").filter((group) => group !== "");
  const missing = tail === undefined ? [] : Array.from({ length: 8 }, () => "0");
  return [...groups, ...missing].slice(0, 4).join(":");
}
