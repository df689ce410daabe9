import type { Clock } from "@butler/std";
import type { MetricsRegistry } from "@butler/telemetry";
import { networkOf, type RateLimit, RateLimiter } from "../http/rate-limit.ts";

/** Options of the limits. */
export interface RecordLimitsOptions {
  readonly clock: Clock;
  readonly metrics: MetricsRegistry;
  /** Failed attempts to prove an identity, by address (IPv6: /64). */
  readonly source?: RateLimit;
  /** All of them together: 200, then one per minute is less than a megabyte per day. */
  readonly overall?: RateLimit;
  /** Refused requests of a signed-in user, which change nothing. */
  readonly user?: RateLimit;
}

const defaults = {
  source: { burst: 30, perSecond: 1 / 300 },
  overall: { burst: 200, perSecond: 1 / 60 },
  user: { burst: 300, perSecond: 1 / 30 },
} as const;

/**
 * Which requests are recorded although they change nothing. The log is limited in size, so that a client that may add
 * to it without limit can wash out what others did. What is not recorded is counted.
 */
export class RecordLimits {
  readonly #source: RateLimiter;
  readonly #overall: RateLimiter;
  readonly #user: RateLimiter;
  readonly #unrecorded;

  constructor({ clock, metrics, ...limits }: RecordLimitsOptions) {
    const { source, overall, user } = { ...defaults, ...limits };
    this.#source = new RateLimiter(source, clock);
    this.#overall = new RateLimiter(overall, clock);
    this.#user = new RateLimiter(user, clock);
    this.#unrecorded = metrics.counter("butler_audit_unrecorded_total", {
      help: "Requests not audited because they have no session or exceed the limit for their source.",
      labels: ["action", "reason"],
    });
  }

  /** Counts a request without a session that asked for nothing. It is never recorded. */
  countAnonymous(action: string): void {
    this.#unrecorded.inc({ action, reason: "no-session" });
  }

  /** Whether to record a failed attempt to prove an identity. */
  admitsFailure(action: string, sourceAddress: string): boolean {
    const isAdmitted =
      this.#source.secondsToWait(networkOf(sourceAddress)) === undefined &&
      this.#overall.secondsToWait("all") === undefined;
    if (!isAdmitted) this.#unrecorded.inc({ action, reason: "limit" });
    return isAdmitted;
  }

  /** Whether to record a refused request of a signed-in user. */
  admitsRefusal(action: string, email: string): boolean {
    const isAdmitted = this.#user.secondsToWait(email) === undefined;
    if (!isAdmitted) this.#unrecorded.inc({ action, reason: "limit" });
    return isAdmitted;
  }
}
