import { ButlerConfig, ProviderConfig, Team, TenantCluster } from "@butler/api";
import { type Kind, parseObject } from "@butler/resource";
import { describe, expect, it } from "vitest";
import { buildIdentityProvider, clientSecretOf } from "./identity-provider.ts";
import { discoveryAddress, judgeDiscovery } from "./issuers/index.ts";
import { newObject } from "./new-object.ts";
import { presets } from "./presets.ts";
import { providerUse } from "./provider-use.ts";

const issuer = "https://login.example.com";
const document = { issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` };

describe("judgeDiscovery", () => {
  it.each([
    ["an error", 500, "{}", "returned HTTP 500"],
    ["a redirection", 302, "", "returned HTTP 302"],
    ["an HTML page", 200, "<html>", "discovery document"],
    [
      "another issuer",
      200,
      JSON.stringify({ ...document, issuer: `${issuer}/` }),
      "the issuer URL in the discovery document does not match",
    ],
    [
      "a missing endpoint",
      200,
      JSON.stringify({ ...document, token_endpoint: 7 }),
      "no authorization or token endpoint",
    ],
    ["an oversized document", 200, JSON.stringify({ ...document, more: "x".repeat(300_000) }), "larger than 256 KiB"],
  ])("rejects %s", (_what, status, text, message) => {
    const found = judgeDiscovery(issuer, { status, text });
    expect(found.valid).toBe(false);
    expect(found.message).toContain(message);
  });

  it("accepts the issuer itself", () => {
    expect(judgeDiscovery(issuer, { status: 200, text: JSON.stringify(document) })).toMatchObject({
      valid: true,
      tokenEndpoint: `${issuer}/token`,
    });
    expect(discoveryAddress(`${issuer}/`)).toBe(discoveryAddress(issuer));
  });
});

describe("identity providers", () => {
  it("store their client secret in a Secret only", () => {
    const made = buildIdentityProvider({
      name: "company",
      oidc: { issuerURL: issuer, clientID: "x", scopes: undefined },
    });
    expect(made["spec"]).toEqual({
      type: "oidc",
      oidc: {
        issuerURL: issuer,
        clientID: "x",
        clientSecretRef: { name: "company-oidc-secret", namespace: "butler-system" },
      },
    });
    expect(clientSecretOf("company", "hush")).toMatchObject({ data: { "client-secret": "aHVzaA==" } });
  });

  it("have presets with unique names and setup instructions", () => {
    expect(new Set(presets.map(({ id }) => id)).size).toBe(presets.length);
    expect(presets.every(({ notes, scopes }) => notes !== "" && scopes.includes("openid"))).toBe(true);
  });
});

describe("providerUse", () => {
  const an = (kind: Kind, metadata: { name: string; namespace?: string }, spec: object) =>
    newObject(kind, metadata, { spec });
  const provider = parseObject(
    ProviderConfig,
    an(ProviderConfig, { name: "lab", namespace: "butler-system" }, { provider: "local" }),
  );
  const cluster = (name: string, spec: object) =>
    parseObject(TenantCluster, an(TenantCluster, { name, namespace: "payments" }, spec));
  const team = parseObject(Team, an(Team, { name: "payments" }, { providerConfigRef: { name: "lab" } }));
  const config = parseObject(
    ButlerConfig,
    an(ButlerConfig, { name: "butler" }, { defaultProviderConfigRef: { name: "lab" } }),
  );

  it("finds clusters that use a provider directly or by default", () => {
    const clusters = [
      cluster("said", { providerConfigRef: { name: "lab" } }),
      cluster("by-team", { teamRef: { name: "payments" } }),
      cluster("by-platform", {}),
      cluster("elsewhere", { providerConfigRef: { name: "lab", namespace: "payments" } }),
    ];
    expect(providerUse(provider, { clusters, teams: [team], config })).toEqual({
      clusters: ["payments/by-platform", "payments/by-team", "payments/said"],
      teams: ["payments"],
      isDefault: true,
    });
    expect(providerUse(provider, { clusters, teams: [], config: undefined })).toEqual({
      clusters: ["payments/said"],
      teams: [],
      isDefault: false,
    });
  });
});
