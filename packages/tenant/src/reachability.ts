/** What is known of a tenant's API server. */
export type Reachability =
  | { readonly state: "unknown" }
  | { readonly state: "reachable" }
  /** A request had no answer; whether that was the server's fault is being found out. Requests go on. */
  | { readonly state: "doubted"; readonly cause: unknown }
  /** Nobody is kept waiting: requests fail at once until an attempt of our own succeeds. */
  | {
      readonly state: "unreachable";
      readonly cause: unknown;
      readonly attempts: number;
      readonly sinceMs: number;
      readonly nextAttemptAtMs: number;
    };

/** What was learned about the server. A probe asks it whether it is ready. */
export type News =
  | { readonly type: "answered" }
  | { readonly type: "unanswered"; readonly cause: unknown }
  | { readonly type: "probe-ready" }
  | { readonly type: "probe-unready"; readonly cause: unknown }
  | { readonly type: "probe-failed"; readonly cause: unknown }
  /** It is reached in another way, or with other credentials, from now on. */
  | { readonly type: "replaced" };

export interface JudgeOptions {
  readonly nowMs: number;
  /** How long to wait before the attempt that follows so many failed ones. */
  readonly delayMs: (attempts: number) => number;
}

/**
 * What is known after the news. One request without an answer cuts nobody off: it takes a probe that fails too. Once cut
 * off, a server has to say that it is ready, lest one that is just starting is met by everybody at once.
 */
export function judge(known: Reachability, news: News, options: JudgeOptions): Reachability {
  switch (news.type) {
    case "answered":
    case "probe-ready":
      return known.state === "reachable" ? known : { state: "reachable" };
    case "unanswered":
      return isSuspect(known) ? known : { state: "doubted", cause: news.cause };
    case "probe-unready":
      return known.state === "unreachable" ? cutOff(known, news.cause, options) : { state: "reachable" };
    case "probe-failed":
      return isSuspect(known) ? cutOff(known, news.cause, options) : known;
    case "replaced":
      // Whether it helps is found out at once, and by ourselves: there may be nobody else who tries.
      return isSuspect(known) ? { state: "doubted", cause: known.cause } : known;
  }
}

function isSuspect(known: Reachability): known is Extract<Reachability, { cause: unknown }> {
  return known.state === "doubted" || known.state === "unreachable";
}

function cutOff(known: Reachability, cause: unknown, { nowMs, delayMs }: JudgeOptions): Reachability {
  const before = known.state === "unreachable" ? known : { attempts: 0, sinceMs: nowMs };
  const attempts = before.attempts + 1;
  return {
    state: "unreachable",
    cause,
    attempts,
    sinceMs: before.sinceMs,
    nextAttemptAtMs: nowMs + delayMs(attempts),
  };
}
