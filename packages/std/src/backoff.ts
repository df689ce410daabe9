/** Settings of an exponential backoff. */
export interface BackoffPolicy {
  readonly initialMs: number;
  readonly maximumMs: number;
  readonly factor: number;
  /** Share of the delay that is random, 0 to 1, so that clients do not retry at the same time. */
  readonly jitter: number;
}

/**
 * The delay before attempt number `failures` + 1 (the first failure is 1). With jitter j the delay lies between
 * (1 - j) and 1 times the exponential value, so the maximum is never exceeded.
 */
export function backoffDelayMs(policy: BackoffPolicy, failures: number, random: () => number = Math.random): number {
  // Kept finite, because zero times infinity is not a number.
  const growth = Math.min(Number.MAX_VALUE, policy.factor ** Math.max(0, failures - 1));
  const exponential = Math.min(policy.maximumMs, policy.initialMs * growth);
  return Math.round(exponential * (1 - policy.jitter * random()));
}
