/** The reachability of a tenant's API server. */
export type Reachability =
  | { readonly state: "unknown" }
  | { readonly state: "reachable" }
  /** A request had no response; a probe checks the server. Requests continue. */
  | { readonly state: "doubted"; readonly cause: unknown }
  /** Requests fail at once until one of our own probes succeeds. */
  | {
      readonly state: "unreachable";
      readonly cause: unknown;
      readonly attempts: number;
      readonly sinceMs: number;
      readonly nextAttemptAtMs: number;
    };

/** A reachability event. A probe checks the readiness of the server. */
export type News =
  | { readonly type: "answered" }
  | { readonly type: "unanswered"; readonly cause: unknown }
  | { readonly type: "probe-ready" }
  | { readonly type: "probe-unready"; readonly cause: unknown }
  | { readonly type: "probe-failed"; readonly cause: unknown }
  /** Its address or credentials have changed. */
  | { readonly type: "replaced" };

export interface JudgeOptions {
  readonly nowMs: number;
  /** The delay after a number of failed attempts. */
  readonly delayMs: (attempts: number) => number;
}

/**
 * The state after an event. One request without an answer does not make a tenant unreachable: that takes a failed probe
 * too. Once unreachable, a server has to report that it is ready, so that one that is just starting does not get all
 * requests at once.
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
      // Probe at once whether it helps: there may be no other request that would find out.
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
