import { ProviderConfig, providerTypes, credentialKeys } from "@butler/api";
import { builtinKinds, parseObject } from "@butler/resource";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  buildProvider,
  credentialFaults,
  judgeProvider,
  ownedSecret,
  planCredentials,
  planProviderChange,
  secretOf,
} from "./provider-plan.ts";
import { newObject } from "./new-object.ts";

const nutanix = {
  endpoint: "https://prism.example.com",
  port: 9440,
  insecure: false,
  clusterUUID: "c",
  subnetUUID: "s",
};
const credentials = { username: "butler", password: "secret" };

function aProvider(spec: object = {}, rest: { readonly metadata?: object; readonly status?: object } = {}) {
  const metadata = { name: "prism", namespace: "butler-system", uid: "uid-1", generation: 1, ...rest.metadata };
  const whole = { provider: "nutanix", nutanix, credentialsRef: { name: "prism-credentials" }, ...spec };
  return parseObject(ProviderConfig, newObject(ProviderConfig, metadata, { spec: whole, status: rest.status ?? {} }));
}

describe("credentialFaults", () => {
  it.each(providerTypes)("accepts exactly the credentials that %s requires", (provider) => {
    for (const keys of credentialKeys[provider]) {
      const given = Object.fromEntries(keys.map((key) => [key, "x"]));
      expect(credentialFaults(provider, given)).toEqual([]);
      expect(credentialFaults(provider, { ...given, other: "x" })).toMatchObject([
        { field: "credentials.other", reason: "UNKNOWN_FIELD" },
      ]);
      for (const key of keys) expect(credentialFaults(provider, { ...given, [key]: undefined })).not.toEqual([]);
    }
  });

  it("never reveals credential values", () => {
    const value = fc.string({ minLength: 8 }).map((text) => `value:${text}`);
    const keys = fc.constantFrom("kubeconfig", "username", "password", "token", "other");
    fc.assert(
      fc.property(fc.constantFrom(...providerTypes), fc.dictionary(keys, value), (provider, given) => {
        expect(JSON.stringify(credentialFaults(provider, given))).not.toContain("value:");
      }),
    );
  });
});

describe("buildProvider", () => {
  const body = { name: "prism", provider: "nutanix" as const, nutanix, credentials };

  it("stores the credentials in the Secret only", () => {
    const { config, secret } = buildProvider(body, {});
    expect(config).toMatchObject({
      metadata: { name: "prism", namespace: "butler-system" },
      spec: { credentialsRef: { name: "prism-credentials" }, scope: { type: "platform" } },
    });
    expect(JSON.stringify(config)).not.toMatch(/password|secret"/);
    expect(secret).toMatchObject({
      metadata: { name: "prism-credentials", namespace: "butler-system" },
      data: { username: "YnV0bGVy", password: "c2VjcmV0" },
    });
  });

  it("scopes a team's provider to the team", () => {
    const { config, secret } = buildProvider(body, { team: "payments" });
    expect(config).toMatchObject({
      metadata: { namespace: "payments" },
      spec: { scope: { type: "team", teamRef: { name: "payments" } } },
    });
    expect(secret?.metadata.namespace).toBe("payments");
  });

  it("creates no Secret for local providers", () => {
    const { config, secret } = buildProvider({ name: "here", provider: "local" }, {});
    expect(secret).toBeUndefined();
    expect(config["spec"]).not.toHaveProperty("credentialsRef");
  });
});

describe("changes to providers", () => {
  it("replace the blocks in the request, and leave the rest unchanged", () => {
    const provider = aProvider({ limits: { maxClustersPerTeam: 3, maxNodesPerTeam: 9 } });
    expect(planProviderChange(provider, { limits: { maxClustersPerTeam: 5 }, credentials }, {})).toEqual({
      spec: { limits: { maxClustersPerTeam: 5, maxNodesPerTeam: null } },
    });
    expect(planProviderChange(provider, {}, { team: "payments" })).toEqual({
      spec: { scope: { type: "team", teamRef: { name: "payments" } } },
    });
  });

  const provider = aProvider();
  const own = ownedSecret(secretOf(provider, credentials), provider);
  const strange = newObject(builtinKinds.Secret, { name: "prism-credentials", namespace: "butler-system" }, {});
  const namesake = aProvider({}, { metadata: { uid: "uid-2" } });
  it.each([
    ["its own Secret", provider, own, "change"],
    ["a Secret that was never made", provider, undefined, "create"],
    ["a Secret with another owner", provider, strange, "leave"],
    ["the Secret of a deleted provider of the same name", namesake, own, "leave"],
    ["a Secret of another name that is not there", aProvider({ credentialsRef: { name: "x" } }), undefined, "leave"],
    ["no Secret", aProvider({ provider: "local", credentialsRef: undefined }), undefined, "leave"],
  ] as const)("handle %s", (_what, of, secret, plan) => {
    expect(planCredentials(of, secret)).toBe(plan);
  });
});

describe("judgeProvider", () => {
  const keys = ["username", "password"];
  const condition = (type: string, reason: string) => ({
    observedGeneration: 1,
    conditions: [{ type, status: "False", reason, message: "why", lastTransitionTime: "2026-06-01T12:00:00Z" }],
  });

  it("reports what was checked, and what was not", () => {
    expect(judgeProvider(aProvider(), keys)).toMatchObject({
      valid: true,
      message: expect.stringContaining("was not tested") as string,
    });
    expect(judgeProvider(aProvider({ provider: "local", credentialsRef: undefined }), undefined).valid).toBe(true);
  });

  it.each([
    ["no Secret", aProvider(), undefined, "credentials"],
    ["a Secret without a password", aProvider(), ["username"], "credentials"],
    ["an exhausted pool", aProvider({}, { status: condition("PoolAvailable", "PoolExhausted") }), keys, "addresses"],
    ["a missing team", aProvider({}, { status: condition("Ready", "ValidationFailed") }), keys, "settings"],
  ] as const)("finds %s", (_what, provider, found, category) => {
    expect(judgeProvider(provider, found)).toMatchObject({ valid: false, category });
  });

  it.each([
    ["has been fixed since", condition("Ready", "CredentialsInvalid"), 1],
    ["was about other settings", condition("Ready", "ValidationFailed"), 2],
  ])("does not repeat what %s", (_what, status, generation) => {
    expect(judgeProvider(aProvider({}, { metadata: { generation }, status }), keys).valid).toBe(true);
  });
});
