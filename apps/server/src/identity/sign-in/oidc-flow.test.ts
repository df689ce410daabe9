import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { IdentityProvider } from "@butler/api";
import type { KubeClient } from "@butler/kube";
import { type CertificatePair, createAuthority } from "@butler/pki";
import { systemClock } from "@butler/std";
import { silentLogger } from "@butler/telemetry";
import { eventually } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { googleGroupsOf } from "./google-groups.ts";
import { beginFlow, completeFlow, type FlowParts } from "./oidc-flow.ts";
import { outgoingFetch } from "@butler/administration/issuers";
import { ProviderDirectory } from "./providers.ts";
import { Browser } from "./testing/browser.ts";
import { type ForgedIssuer, startForgedIssuer } from "./testing/forged-issuer.ts";
import { type Account, type IdentityServer, startIdentityServer } from "./testing/identity-server.ts";

const redirectURL = "http://127.0.0.1:9/api/auth/callback";
const ada: Account = { sub: "ada-1", email: "Ada@Example.com", email_verified: true, name: "Ada", groups: ["b", "a"] };
const signal = new AbortController().signal;

let authority: CertificatePair;
let identity: IdentityServer;
let forged: ForgedIssuer;

beforeAll(async () => {
  authority = await createAuthority("tests");
  identity = await startIdentityServer(authority, { redirectURL, account: ada });
  forged = await startForgedIssuer(authority);
});

afterAll(async () => {
  await identity?.stop();
  await forged?.stop();
});

function clientWith(data: Readonly<Record<string, string>>): Pick<KubeClient, "find"> {
  const stored = Object.fromEntries(
    Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString("base64")]),
  );
  const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "s" }, data: stored };
  return { find: () => Promise.resolve(secret as never) };
}

function partsOf(): FlowParts {
  const client = clientWith({ "client-secret": identity.clientSecret });
  const outgoing = { allowLoopback: true, authorities: authority.cert };
  const providers = new ProviderDirectory({ client, clock: systemClock, outgoing });
  return { providers, google: { client, clock: systemClock }, clock: systemClock, logger: silentLogger };
}

function providerAt(issuerURL: string, change: object = {}): IdentityProvider {
  const settings = { issuerURL, clientID: "butler", clientSecretRef: { name: "s" }, redirectURL };
  const scopes = ["email", "profile", "groups"];
  return {
    apiVersion: "butler.butlerlabs.dev/v1alpha1",
    kind: "IdentityProvider",
    metadata: { name: "company", uid: "u", generation: 1 },
    spec: { type: "oidc", oidc: { ...settings, scopes, groupsClaim: "groups", emailClaim: "email", ...change } },
  } as IdentityProvider;
}

/** Goes to the provider and comes back, as a browser does. */
async function comeBack(parts: FlowParts, provider: IdentityProvider) {
  const { location, state } = await beginFlow(parts, provider, { returnTo: "/", signal });
  const { url } = await new Browser(authority.cert).visit(
    location,
    ({ pathname }) => pathname === "/api/auth/callback",
  );
  return { state, query: url.search, signal };
}

describe("a sign-in at a real provider", () => {
  it("returns the user, with groups from userinfo", async () => {
    const parts = partsOf();
    const provider = providerAt(identity.issuer);
    const proven = await completeFlow(parts, provider, await comeBack(parts, provider));
    expect(proven).toMatchObject({
      subject: "ada-1",
      person: { email: "ada@example.com", displayName: "Ada", groups: ["a", "b"] },
    });
  });

  it("uses PKCE, state and nonce", async () => {
    const { location, state } = await beginFlow(partsOf(), providerAt(identity.issuer), { returnTo: "/", signal });
    const asked = new URL(location).searchParams;
    expect(asked.get("code_challenge_method")).toBe("S256");
    expect(asked.get("code_challenge")).not.toBe(state.verifier);
    expect([asked.get("state"), asked.get("nonce")]).toEqual([state.state, state.nonce]);
    expect(asked.get("scope")).toBe("openid email profile groups");
  });

  it("accepts a code once", async () => {
    const parts = partsOf();
    const provider = providerAt(identity.issuer);
    const returned = await comeBack(parts, provider);
    expect(await completeFlow(parts, provider, returned)).toMatchObject({ subject: "ada-1" });
    expect(await completeFlow(parts, provider, returned)).toEqual({ refusal: "answer_invalid" });
  });

  it("rejects a code of another sign-in", async () => {
    const parts = partsOf();
    const provider = providerAt(identity.issuer);
    const [first, second] = [await comeBack(parts, provider), await comeBack(parts, provider)];
    expect(await completeFlow(parts, provider, { ...first, query: second.query })).toEqual({
      refusal: "answer_invalid",
    });
    const mixed = { ...second.state, state: first.state.state };
    expect(await completeFlow(parts, provider, { ...first, state: mixed })).toEqual({ refusal: "answer_invalid" });
  });

  it("keeps working after the provider rotates its keys", async () => {
    const parts = partsOf();
    const provider = providerAt(identity.issuer);
    expect(await completeFlow(parts, provider, await comeBack(parts, provider))).toMatchObject({ subject: "ada-1" });
    identity.rotateKeys();
    // Keys are fetched again after a second at the earliest.
    await eventually(async () => "subject" in (await completeFlow(parts, provider, await comeBack(parts, provider))));
  });

  it("rejects an unverified email address", async () => {
    identity.account = { ...ada, sub: "ada-2", email_verified: false };
    const parts = partsOf();
    const provider = providerAt(identity.issuer);
    expect(await completeFlow(parts, provider, await comeBack(parts, provider))).toEqual({
      refusal: "email_unverified",
    });
    identity.account = ada;
  });

  it("works again after an outage of the provider", async () => {
    const parts = partsOf();
    const provider = providerAt(identity.issuer);
    identity.isDown = true;
    await expect(beginFlow(parts, provider, { returnTo: "/", signal })).rejects.toThrow("is unavailable");
    identity.isDown = false;
    const begun = await eventually(() => beginFlow(parts, provider, { returnTo: "/", signal }), { timeoutMs: 5_000 });
    expect(begun.location).toContain(identity.issuer);
  });

  it("does not trust a certificate of an unknown authority", async () => {
    const client = clientWith({ "client-secret": "x" });
    const providers = new ProviderDirectory({ client, clock: systemClock, outgoing: { allowLoopback: true } });
    await expect(providers.ready(providerAt(identity.issuer), signal)).rejects.toThrow(/certificate/);
    const vouchedFor = providerAt(identity.issuer, { certificateAuthority: authority.cert });
    await expect(
      new ProviderDirectory({ client, clock: systemClock, outgoing: { allowLoopback: true } }).ready(
        vouchedFor,
        signal,
      ),
    ).resolves.toBeDefined();
    const insecure = providerAt(identity.issuer, { insecureSkipVerify: true });
    await expect(
      new ProviderDirectory({ client, clock: systemClock, outgoing: { allowLoopback: true } }).ready(insecure, signal),
    ).resolves.toBeDefined();
  });

  it("does not connect to loopback addresses unless allowed", async () => {
    const client = clientWith({ "client-secret": "x" });
    const outgoing = { authorities: authority.cert };
    const providers = new ProviderDirectory({ client, clock: systemClock, outgoing });
    await expect(providers.ready(providerAt(identity.issuer), signal)).rejects.toThrow("is unreachable");
    const named = providerAt(identity.issuer.replace("127.0.0.1", "localhost"));
    await expect(providers.ready(named, signal)).rejects.toThrow("is unreachable");
  });
});

describe("an ID token", () => {
  const claims = { sub: "eve", email: "ada@example.com", email_verified: true, aud: "butler" };
  const { privateKey: otherKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });

  async function outcome(change: (right: Record<string, unknown>) => ForgedIssuer["next"], settings: object = {}) {
    const parts = partsOf();
    const provider = providerAt(forged.issuer, settings);
    const { state } = await beginFlow(parts, provider, { returnTo: "/", signal });
    forged.next = change({ ...claims, iss: forged.issuer, nonce: state.nonce });
    const query = `?code=x&state=${state.state}`;
    const result = await completeFlow(parts, provider, { state, query, signal });
    return "refusal" in result ? result.refusal : result.person.email;
  }

  it.each<[string, (right: Record<string, unknown>) => ForgedIssuer["next"], string]>([
    ["valid", (right) => ({ claims: right }), "ada@example.com"],
    ["another nonce", (right) => ({ claims: { ...right, nonce: "other" } }), "answer_invalid"],
    ["no nonce", (right) => ({ claims: { ...right, nonce: undefined } }), "answer_invalid"],
    ["another audience", (right) => ({ claims: { ...right, aud: "other" } }), "answer_invalid"],
    ["another issuer", (right) => ({ claims: { ...right, iss: "https://other.example" } }), "answer_invalid"],
    ["expired", (right) => ({ claims: { ...right, exp: 1_000 } }), "answer_invalid"],
    ["no subject", (right) => ({ claims: { ...right, sub: undefined } }), "answer_invalid"],
    ["another key", (right) => ({ claims: right, key: otherKey }), "answer_invalid"],
    ["an unknown key", (right) => ({ claims: right, key: otherKey, header: { kid: "new" } }), "answer_invalid"],
    [
      "signed with the client's secret",
      (right) => ({ claims: right, key: new TextEncoder().encode("x".repeat(32)), header: { alg: "HS256" } }),
      "answer_invalid",
    ],
    ["no email address", (right) => ({ claims: { ...right, email: undefined } }), "email_missing"],
    ["an unverified email address", (right) => ({ claims: { ...right, email_verified: false } }), "email_unverified"],
  ])("%s", async (_name, change, expected) => expect(await outcome(change)).toBe(expected));

  it("from outside the hosted domain", async () => {
    const settings = { hostedDomain: "example.com" };
    expect(await outcome((right) => ({ claims: { ...right, hd: "evil.example" } }), settings)).toBe("domain_refused");
    expect(await outcome((right) => ({ claims: { ...right, hd: "example.com" } }), settings)).toBe("ada@example.com");
  });

  it("is distinguished from an error of the provider", async () => {
    const parts = partsOf();
    const provider = providerAt(forged.issuer);
    const { state } = await beginFlow(parts, provider, { returnTo: "/", signal });
    const query = `?error=access_denied&state=${state.state}`;
    expect(await completeFlow(parts, provider, { state, query, signal })).toEqual({ refusal: "provider_refused" });
  });
});

describe("the Google directory", () => {
  it("is read page by page with a token for the service account", async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      const url = new URL(request.url ?? "", "http://x");
      asked.push(`${request.method} ${url.pathname} ${request.headers.authorization ?? ""}`.trim());
      request.resume();
      const second = url.searchParams.get("pageToken") === "2";
      const page = second ? { groups: [{ email: "a@x" }] } : { groups: [{ email: "b@x" }, 7], nextPageToken: "2" };
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(url.pathname === "/token" ? { access_token: "t" } : page));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
      const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
      const file = { client_email: "robot@x", private_key: pem, token_uri: `${base}/token` };
      const client = clientWith({ "service-account.json": JSON.stringify(file) });
      const fetch = outgoingFetch({ allowLoopback: true });
      const parts = { client, clock: systemClock, fetch, directoryUrl: `${base}/groups` };
      const settings = { serviceAccountSecretRef: { name: "s" }, adminEmail: "root@x" };
      expect(await googleGroupsOf(parts, settings, "ada@x")).toEqual(["a@x", "b@x"]);
      expect(asked).toEqual(["POST /token", "GET /groups Bearer t", "GET /groups Bearer t"]);
      await expect(googleGroupsOf({ ...parts, client: clientWith({}) }, settings, "ada@x")).rejects.toThrow(
        "service account key is missing",
      );
    } finally {
      server.close();
    }
  });
});
