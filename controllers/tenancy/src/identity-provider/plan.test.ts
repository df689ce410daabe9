import type { Plan } from "@butler/controller";
import { planFrozen } from "@butler/testkit";
import { describe, expect, it } from "vitest";
import { anIdentityProvider } from "../shared/testing/objects.ts";
import { freshMs, type Observed, plan } from "./plan.ts";

const endpoints = {
  authorizationEndpoint: "https://login.example.com/authorize",
  tokenEndpoint: "https://login.example.com/token",
};
const answers = {
  valid: true,
  message: "the issuer is reachable and valid",
  ...endpoints,
  jwksURI: "https://login.example.com/keys",
};
const silent = { valid: false, message: "the issuer returned HTTP 502" };
const keys = ["client-secret"];
const now = new Date("2026-11-16T12:00:00.123Z");

function planOf(observed: Observed): Plan {
  return planFrozen({ plan, observed, now, settle: (same) => same }, observed);
}

describe("an identity provider", () => {
  it.each([
    ["that answers", { secretKeys: keys, issuer: answers }, "Ready", "Ready", "users can sign in"],
    ["that is silent", { secretKeys: keys, issuer: silent }, "Failed", "IssuerFault", "the issuer returned HTTP 502"],
    [
      "without its Secret",
      { secretKeys: undefined, issuer: answers },
      "Failed",
      "SecretInvalid",
      "Secret butler-system/company not found; create it, or correct spec.oidc.clientSecretRef",
    ],
    [
      "whose Secret lacks the key",
      { secretKeys: ["other"], issuer: answers },
      "Failed",
      "SecretInvalid",
      "Secret butler-system/company has no key client-secret; add it with the client secret",
    ],
  ])("%s", (_which, seen, phase, reason, message) => {
    const { status, conditions, requeueAfterMs } = planOf({ provider: anIdentityProvider(), ...seen });
    expect(status).toMatchObject({ phase, message });
    expect(conditions?.find(({ type }) => type === "Ready")).toMatchObject({ reason, message });
    expect(requeueAfterMs).toBe(seen.issuer.valid ? freshMs.good : freshMs.bad);
  });

  it("checks the referenced key of the referenced Secret", () => {
    const clientSecretRef = { name: "mine", namespace: "sso", key: "text" };
    const provider = anIdentityProvider({ spec: { oidc: { clientSecretRef } } });
    const { conditions } = planOf({ provider, secretKeys: ["text"], issuer: answers });
    expect(conditions).toContainEqual({
      type: "SecretValid",
      status: "True",
      reason: "Found",
      message: "Secret sso/mine contains the client secret",
    });
  });

  it("keeps the endpoints of an unreachable issuer, and the time of the last validation", () => {
    const status = { phase: "Ready", observedGeneration: 1, discoveredEndpoints: endpoints };
    const lastValidatedTime = "2026-01-01T00:00:00Z";
    const provider = anIdentityProvider({ status: { ...status, lastValidatedTime } });
    expect(planOf({ provider, secretKeys: keys, issuer: silent }).status).toMatchObject({
      phase: "Failed",
      lastValidatedTime,
      discoveredEndpoints: endpoints,
    });
    expect(planOf({ provider, secretKeys: keys, issuer: answers }).status).toMatchObject({ lastValidatedTime });
    const changed = anIdentityProvider({ generation: 2, status: { ...status, lastValidatedTime } });
    expect(planOf({ provider: changed, secretKeys: keys, issuer: answers }).status).toMatchObject({
      lastValidatedTime: "2026-11-16T12:00:00Z",
    });
  });

  it("is not written again when nothing has changed", () => {
    const provider = anIdentityProvider();
    const { status, conditions } = planOf({ provider, secretKeys: keys, issuer: answers });
    const standing = (conditions ?? []).map((each) => ({
      ...each,
      observedGeneration: 1,
      lastTransitionTime: "2026-01-01T00:00:00Z",
    }));
    const settled = anIdentityProvider({ status: { ...status, observedGeneration: 1, conditions: standing } });
    const again = planOf({ provider: settled, secretKeys: keys, issuer: answers });
    expect([again.status, again.conditions]).toEqual([undefined, undefined]);
  });

  it("that is being deleted is left unchanged", () => {
    const provider = anIdentityProvider({ deletionTimestamp: "2026-01-01T00:00:00Z" });
    expect(planOf({ provider, secretKeys: keys, issuer: answers })).toEqual({ finalizer: "none" });
  });
});
