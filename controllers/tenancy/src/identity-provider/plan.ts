import type { IssuerFacts } from "@butler/administration/issuers";
import type { IdentityProvider } from "@butler/api";
import { holds, lacks, type Plan } from "@butler/controller";
import { isBeingDeleted } from "@butler/resource";
import { statusShare } from "../shared/index.ts";
import { secretCondition } from "./secret.ts";

/** The input of the plan. */
export interface Observed {
  readonly provider: IdentityProvider;
  /** Keys of the client secret's Secret that have content; undefined when there is no Secret. */
  readonly secretKeys: readonly string[] | undefined;
  readonly issuer: IssuerFacts;
}

/** How long an issuer's response is cached: longer for a valid one. */
export const freshMs = { good: 10 * 60_000, bad: 30_000 } as const;

/** Reports whether users can sign in through a provider, and checks again periodically. */
export function plan({ provider, secretKeys, issuer }: Observed, now: Date): Plan {
  if (isBeingDeleted(provider)) return { finalizer: "none" };
  const discovered = issuer.valid
    ? holds("Discovered", "IssuerAnswers", issuer.message)
    : lacks("Discovered", "IssuerFault", issuer.message);
  const secret = secretCondition(provider, secretKeys);
  const fault = [discovered, secret].find(({ status }) => status === "False");
  const ready =
    fault === undefined ? holds("Ready", "Ready", "users can sign in") : lacks("Ready", fault.reason, fault.message);
  return {
    finalizer: "none",
    ...statusShare(provider, {
      fields: {
        phase: fault === undefined ? "Ready" : "Failed",
        message: ready.message,
        lastValidatedTime: validatedTime(provider, fault === undefined, now),
        discoveredEndpoints: endpointsOf(issuer) ?? provider.status?.discoveredEndpoints,
      },
      conditions: [ready, discovered, secret],
      conditionTypes: ["Ready", "Discovered", "SecretValid"],
    }),
    events: fault === undefined ? [] : [{ type: "Warning", reason: fault.reason, message: fault.message }],
    requeueAfterMs: issuer.valid ? freshMs.good : freshMs.bad,
  };
}

/** The endpoints of an unreachable issuer keep their last known values. */
function endpointsOf({ valid, ...facts }: IssuerFacts) {
  if (!valid) return undefined;
  const { authorizationEndpoint, tokenEndpoint, userInfoEndpoint, jwksURI } = facts;
  return {
    authorizationEndpoint,
    tokenEndpoint,
    ...(userInfoEndpoint !== undefined && { userInfoEndpoint }),
    ...(jwksURI !== undefined && { jwksURI }),
  };
}

/** Changes only when new settings are validated; otherwise each periodic check would be a write. */
function validatedTime({ metadata, status }: IdentityProvider, isReady: boolean, now: Date): string | undefined {
  const before = status?.lastValidatedTime;
  if (!isReady) return before;
  const isKnown = status?.phase === "Ready" && status.observedGeneration === metadata.generation;
  return isKnown && before !== undefined ? before : now.toISOString().replace(/\.\d+Z$/, "Z");
}
