import type { IssuerFacts } from "@butler/administration/issuers";
import type { IdentityProvider } from "@butler/api";
import { holds, lacks, type Plan } from "@butler/controller";
import { isBeingDeleted } from "@butler/resource";
import { statusShare } from "../shared/index.ts";
import { secretCondition } from "./secret.ts";

/** Everything the decision is made from. */
export interface Observed {
  readonly provider: IdentityProvider;
  /** Keys of the client secret's Secret that have content; undefined when there is no Secret. */
  readonly secretKeys: readonly string[] | undefined;
  readonly issuer: IssuerFacts;
}

/** How long what an issuer said holds: one that is in order is left in peace for longer. */
export const freshMs = { good: 10 * 60_000, bad: 30_000 } as const;

/** Says of a provider whether people can sign in through it, and looks again now and then. */
export function plan({ provider, secretKeys, issuer }: Observed, now: Date): Plan {
  if (isBeingDeleted(provider)) return { finalizer: "none" };
  const discovered = issuer.valid
    ? holds("Discovered", "IssuerAnswers", issuer.message)
    : lacks("Discovered", "IssuerFault", issuer.message);
  const secret = secretCondition(provider, secretKeys);
  const fault = [discovered, secret].find(({ status }) => status === "False");
  const ready =
    fault === undefined ? holds("Ready", "Ready", "people can sign in") : lacks("Ready", fault.reason, fault.message);
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

/** What an issuer said before it fell silent is still what it was. */
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

/** It moves only when settings were found to work that were not known to, or looking again would be a write each time. */
function validatedTime({ metadata, status }: IdentityProvider, isReady: boolean, now: Date): string | undefined {
  const before = status?.lastValidatedTime;
  if (!isReady) return before;
  const isKnown = status?.phase === "Ready" && status.observedGeneration === metadata.generation;
  return isKnown && before !== undefined ? before : now.toISOString().replace(/\.\d+Z$/, "Z");
}
