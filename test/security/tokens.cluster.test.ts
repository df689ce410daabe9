import { generateKeyPairSync } from "node:crypto";
import { IdentityProvider, namespaces, Team, User } from "@butler/api";
import { builtinKinds } from "@butler/resource";
import { isRecord } from "@butler/std";
import {
  addProvider,
  type Browser,
  type ForgedIssuer,
  host,
  newObject,
  post,
  startForgedIssuer,
  type WholeServer,
} from "@butler/server/testing";
import { eventually } from "@butler/testkit";
import { base64url, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { people, send, startPlatform, answerOf } from "./lib/platform.ts";

const { Secret } = builtinKinds;
let platform: WholeServer;
let forged: ForgedIssuer;
let ada: Browser;

beforeAll(async () => {
  platform = await startPlatform("security-tokens");
  forged = await startForgedIssuer(platform.authority);
  const redirectURL = `${platform.url}/api/auth/callback`;
  const platformRoleGroups = [{ name: "admins", role: "admin" }];
  await addProvider(platform.cluster, {
    name: "evil",
    issuerURL: forged.issuer,
    redirectURL,
    spec: { platformRoleGroups },
  });
  const oidc = { hostedDomain: "example.com" };
  await addProvider(platform.cluster, { name: "hosted", issuerURL: forged.issuer, redirectURL, oidc });
  const limited = { domains: ["example.com"] };
  await addProvider(platform.cluster, { name: "limited", issuerURL: forged.issuer, redirectURL, oidc: limited });
  await eventually(() => platform.state.identityProviders.size === 4);
  ada = await platform.signInAs({ email: people.ada });
});

afterAll(async () => {
  await forged?.stop();
  await platform?.stop();
});

const meAs = async (token: string): Promise<number> =>
  (await fetch(`${platform.url}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } })).status;
const tokenOf = (browser: Browser): string => browser.cookie(host, "butler_session") ?? "";

/** The parts of a token, to be combined differently. */
function partsOf(token: string) {
  const [header = "", payload = "", signature = ""] = token.split(".");
  const read = (text: string) =>
    JSON.parse(new TextDecoder().decode(base64url.decode(text))) as Record<string, unknown>;
  return { header: read(header), payload: read(payload), signature, raw: { header, payload } };
}
const written = (value: unknown): string => base64url.encode(JSON.stringify(value));

describe("access tokens", () => {
  it("12: rejects a token without a signature, or with a foreign one", async () => {
    const token = tokenOf(ada);
    expect(await meAs(token)).toBe(200);
    const { header, payload, signature, raw } = partsOf(token);
    const other = generateKeyPairSync("ed25519").privateKey;
    const sign = (change: object, claims: object = {}) =>
      new SignJWT({ ...payload, ...claims }).setProtectedHeader({ ...header, alg: "EdDSA", ...change }).sign(other);
    const attempts = [
      `${written({ ...header, alg: "none" })}.${raw.payload}.`,
      `${written({ ...header, alg: "None" })}.${raw.payload}.${signature}`,
      `${raw.header}.${raw.payload}.`,
      `${raw.header}.${written({ ...payload, sub: "root" })}.${signature}`,
      await sign({}),
      await sign({ kid: "../../../../dev/null" }),
      await sign({ kid: "' OR 1=1 --" }),
      await sign({ kid: undefined }),
      await sign({ jku: "https://evil.example/keys", kid: "evil" }),
      await sign({ jwk: generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" }) }),
    ];
    for (const attempt of attempts) expect(await meAs(attempt), attempt).toBe(401);
  });

  it("12: rejects the public key as a shared secret (key confusion)", async () => {
    const { header, payload } = partsOf(tokenOf(ada));
    const stored = await platform.cluster.client.get(Secret, {
      name: "butler-server-signing-keys",
      namespace: namespaces.system,
    });
    const data = isRecord(stored["data"]) ? stored["data"] : {};
    const keys = JSON.parse(Buffer.from(String(data["keys"]), "base64").toString()) as {
      id: string;
      privateKey: string;
    }[];
    expect(keys.length).toBeGreaterThan(0);
    const forgedToken = await new SignJWT(payload)
      .setProtectedHeader({ ...header, alg: "HS256" })
      .sign(Buffer.from(keys[0]?.privateKey ?? ""));
    expect(await meAs(forgedToken)).toBe(401);
  });

  it("12: a token is valid for one audience, one use and its lifetime", async () => {
    const stored = await platform.cluster.client.get(Secret, {
      name: "butler-server-signing-keys",
      namespace: namespaces.system,
    });
    const data = isRecord(stored["data"]) ? stored["data"] : {};
    const [key] = JSON.parse(Buffer.from(String(data["keys"]), "base64").toString()) as { privateKey: string }[];
    const { createPrivateKey } = await import("node:crypto");
    const privateKey = createPrivateKey(key?.privateKey ?? "");
    const { header, payload } = partsOf(tokenOf(ada));
    // Signed with the right key, so the claims are the reason for the rejection.
    const sign = (claims: object, change: object = {}) =>
      new SignJWT({ ...payload, ...claims })
        .setProtectedHeader({ ...header, alg: "EdDSA", ...change })
        .sign(privateKey);
    expect(await meAs(await sign({}))).toBe(200);
    const seconds = Math.floor(Date.now() / 1_000);
    for (const claims of [
      { aud: "other" },
      { iss: "other" },
      { exp: seconds - 1 },
      { exp: undefined },
      { sid: "0".repeat(32) },
      { sid: "../secrets/x" },
      { sub: "root" },
    ])
      expect(await meAs(await sign(claims)), JSON.stringify(claims)).toBe(401);
    expect(await meAs(await sign({}, { typ: "butler-sign-in" }))).toBe(401);
  });

  it("a cookie planted by a sibling domain does not authorize writes", async () => {
    const eve = await platform.signInAs({ email: people.eve });
    const csrf = ada.cookie(host, "butler_csrf") ?? "";
    // The other site's cookie has the longer path, so it comes first; the page reads its own CSRF token.
    const cookie = `butler_session=${tokenOf(eve)}; butler_session=${tokenOf(ada)}; butler_csrf=${csrf}`;
    const answer = fetch(`${platform.url}/api/teams/billing`, {
      method: "PUT",
      headers: { cookie, "x-butler-csrf": csrf, "content-type": "application/json" },
      body: '{"displayName":"taken"}',
    });
    expect(await answerOf(answer)).toMatchObject({ status: 403, code: "CSRF_FAILED" });
  });

  it("a sign-in always creates a new session, and a session id cannot be preset", async () => {
    const browser = platform.browser();
    browser.plant(host, "butler_session", "chosen");
    browser.plant(host, "butler_refresh", `${"a".repeat(32)}.chosen`);
    await platform.signInAs({ email: people.vera }, browser);
    expect(tokenOf(browser)).not.toBe("chosen");
    const first = partsOf(tokenOf(browser)).payload["sid"];
    await platform.signInAs({ email: people.vera }, browser);
    expect(partsOf(tokenOf(browser)).payload["sid"]).not.toBe(first);
  });

  it("cookies are HttpOnly, and Secure when the console uses https", async () => {
    const secure = await platform.startAnother({ publicUrl: "https://butler.example.com" });
    const answer = await fetch(`${secure.url}/api/auth/login/company`, { redirect: "manual" });
    for (const cookie of answer.headers.getSetCookie()) {
      expect(cookie).toMatch(/HttpOnly/);
      expect(cookie).toMatch(/Secure/);
      expect(cookie).toMatch(/SameSite=Lax/);
      // No other host of the domain can set it.
      expect(cookie).toMatch(/^__Host-/);
    }
    expect(answer.headers.get("strict-transport-security")).toBe("max-age=31536000");
    expect(answer.headers.getSetCookie()).toHaveLength(1);
  });

  it("16: a sign-out ends one session, and must come from its own page", async () => {
    const [here, there] = [
      await platform.signInAs({ email: people.olga }),
      await platform.signInAs({ email: people.olga }),
    ];
    for (const path of ["/api/auth/logout", "/api/auth/logout?id_token_hint=x.y.z"])
      expect((await here.send(platform.url + path)).status).toBe(405);
    expect(await meAs(tokenOf(here))).toBe(200);
    expect((await post(here, `${platform.url}/api/auth/logout`)).status).toBe(200);
    await eventually(async () => (await meAs(tokenOf(there))) === 200);
    expect((await send(here, `${platform.url}/api/auth/me`)).status).toBe(401);
  });
});

/** Starts at the forged issuer, and returns with the given claims. */
async function signInWith(
  claims: Readonly<Record<string, unknown>>,
  {
    provider = "evil",
    browser = platform.browser(),
    ...rest
  }: { provider?: string; browser?: Browser; header?: object; key?: Uint8Array; change?: (url: URL) => void } = {},
): Promise<string> {
  const begun = await browser.send(`${platform.url}/api/auth/login/${provider}`);
  const asked = new URL(begun.headers.get("location") ?? "");
  forged.next = {
    claims: {
      iss: forged.issuer,
      aud: "butler",
      sub: "mallory",
      nonce: asked.searchParams.get("nonce"),
      email: "mallory@example.com",
      email_verified: true,
      ...claims,
    },
    ...(rest.header === undefined ? {} : { header: rest.header as Record<string, unknown> }),
    ...(rest.key === undefined ? {} : { key: rest.key }),
  };
  const back = new URL(`${platform.url}/api/auth/callback`);
  back.searchParams.set("code", "any");
  back.searchParams.set("state", asked.searchParams.get("state") ?? "");
  rest.change?.(back);
  return (await browser.send(back)).headers.get("location") ?? "";
}

describe("identity provider claims", () => {
  it("12: nonce, audience, issuer, time and signature are verified", async () => {
    const seconds = Math.floor(Date.now() / 1_000);
    const refused = "/?error=answer_invalid";
    for (const claims of [
      { nonce: "another" },
      { nonce: undefined },
      { aud: "another-client" },
      { aud: ["another-client"] },
      { iss: platform.identity.issuer },
      { exp: seconds - 3_600 },
      { iat: undefined },
      { sub: "" },
      { sub: undefined },
    ])
      expect(await signInWith(claims), JSON.stringify(claims)).toBe(refused);
    const shared = new TextEncoder().encode("the-secret-of-the-client-for-tests");
    expect(await signInWith({}, { header: { alg: "HS256" }, key: shared })).toBe(refused);
    expect(await signInWith({}, { header: { kid: "unknown" } })).toBe(refused);
    expect(await signInWith({})).toBe("/");
  });

  it("12: state and code are valid once, in the same browser and at the same provider (mix-up)", async () => {
    const wrongState = (url: URL): void => url.searchParams.set("state", "x".repeat(43));
    expect(await signInWith({}, { change: wrongState })).toBe("/?error=state_invalid");
    const noState = (url: URL): void => url.searchParams.delete("state");
    expect(await signInWith({}, { change: noState })).toBe("/?error=state_invalid");
    const otherIssuer = (url: URL): void => url.searchParams.set("iss", platform.identity.issuer);
    expect(await signInWith({}, { change: otherIssuer })).toBe("/?error=answer_invalid");
    const browser = platform.browser();
    const back: URL[] = [];
    expect(await signInWith({}, { browser, change: (url) => void back.push(new URL(url)) })).toBe("/");
    expect((await browser.send(back[0] ?? "")).headers.get("location")).toBe("/?error=state_invalid");
    // A code of the trusted provider in a callback for a sign-in that was started at the other one.
    platform.identity.account = { sub: people.ada, email: people.ada, email_verified: true };
    const victim = platform.browser();
    const { url } = await victim.visit(
      `${platform.url}/api/auth/login/company`,
      ({ pathname }) => pathname === "/api/auth/callback",
    );
    const honest = (to: URL): void => to.searchParams.set("code", url.searchParams.get("code") ?? "");
    forged.next = { claims: {} };
    expect(await signInWith({ nonce: "of-another-sign-in" }, { change: honest })).toBe("/?error=answer_invalid");
  });

  it("14: an account is identified by issuer and subject, whatever the address", async () => {
    const account = async () =>
      (await platform.cluster.client.list(User)).items.find(({ spec }) => spec.email === people.ada)?.spec;
    const before = await account();
    for (const [sub, email] of [
      ["thief-1", people.ada],
      ["thief-2", "ADA@EXAMPLE.COM"],
      [people.ada, people.ada],
    ])
      expect(await signInWith({ sub, email })).toBe("/?error=account_of_other_provider");
    // A known subject keeps its account, whatever email address it has at the next sign-in.
    const renamed = platform.browser();
    await signInWith({ sub: "renamed", email: "renamed@example.com" });
    await signInWith({ sub: "renamed", email: people.ada }, { browser: renamed });
    expect((await send(renamed, `${platform.url}/api/auth/me`)).body).toMatchObject({ email: "renamed@example.com" });
    expect(await account()).toEqual(before);
  });

  it("14: rejects an address that is unverified, invalid, or a reserved name of Kubernetes", async () => {
    for (const email_verified of [false, "false", undefined, null, 1])
      expect(await signInWith({ sub: "u", email: "u@example.com", email_verified })).toBe("/?error=email_unverified");
    for (const email of [
      undefined,
      "",
      "not-an-address",
      "system:admin",
      "system:masters@x",
      "a b@c",
      "x".repeat(300) + "@y",
      ["a@b.c"],
    ])
      expect(await signInWith({ sub: "n", email }), JSON.stringify(email)).toBe("/?error=email_missing");
  });

  it("14: the hosted domain comes from the claim, not from the address", async () => {
    const someone = { sub: "h", email: "h@example.com" };
    const options = { provider: "hosted" };
    expect(await signInWith(someone, options)).toBe("/?error=domain_refused");
    expect(await signInWith({ ...someone, hd: "evil.example" }, options)).toBe("/?error=domain_refused");
    expect(await signInWith({ ...someone, hd: "example.com.evil.example" }, options)).toBe("/?error=domain_refused");
    expect(await signInWith({ ...someone, hd: "example.com" }, options)).toBe("/");
  });

  it("48: a provider asserts no users and groups of domains that it may not speak for", async () => {
    const options = { provider: "limited", browser: platform.browser() };
    const groups = ["ops", "ops@example.com", "ops@evil.example", "CN=ops,DC=evil,DC=example"];
    const foreign = { sub: "l1", email: "l@evil.example", groups };
    expect(await signInWith(foreign, { provider: "limited" })).toBe("/?error=domain_refused");
    expect(await signInWith({ ...foreign, email: "cn=l@evil.example" }, options)).toBe("/?error=domain_refused");
    expect(await signInWith({ sub: "l2", email: "limited@example.com", groups }, options)).toBe("/");
    const account = () => platform.state.accountsOf("limited@example.com")[0];
    await eventually(() => account()?.status?.lastSeenGroups !== undefined);
    expect(account()?.status?.lastSeenGroups).toEqual(["ops", "ops@example.com"]);
    expect(await signInWith({ sub: "l3", email: "\u212aim@example.com" })).toBe("/?error=email_missing");
  });

  it("3: reserved group names of Butler and Kubernetes grant nothing", async () => {
    const groups = [
      "butler:platform:admin",
      "butler:team:payments:admin",
      "system:masters",
      "system:authenticated",
      "payments",
    ];
    const browser = platform.browser();
    expect(await signInWith({ sub: "g", email: "g@example.com", groups }, { browser })).toBe("/");
    const me = await send(browser, `${platform.url}/api/auth/me`);
    expect(me.body).toMatchObject({ teams: [], isPlatformAdmin: false });
    expect((await send(browser, `${platform.url}/api/users`)).status).toBe(403);
    expect((await send(browser, `${platform.url}/api/clusters/payments/shop`)).status).toBe(404);
  });

  it("3: a group is specific to its provider, domain and claim", async () => {
    const { client } = platform.cluster;
    const groups = [
      { name: "devs", role: "admin", identityProvider: "company" },
      { name: "leads@corp.example", role: "admin" },
      { name: "CN=ops\\,prod,OU=corp,DC=example", role: "admin" },
    ];
    await client.create(Team, newObject(Team, { name: "grouped" }, { spec: { access: { groups } } }));
    await eventually(() => platform.state.teams.get({ name: "grouped" }) !== undefined);
    const seenWith = async (own: string): Promise<boolean> => {
      const browser = platform.browser();
      const sub = `of ${own}`;
      await signInWith({ sub, email: `${Buffer.from(own).toString("hex")}@example.com`, groups: [own] }, { browser });
      return (await send(browser, `${platform.url}/api/teams/grouped`)).status === 200;
    };
    for (const own of [
      "devs",
      "leads",
      "leads@evil.example",
      "CN=leads,DC=corp,DC=example",
      "\uff4ceads@corp.example",
      "ops,prod@evil.example",
      "CN=ops\\,dev,OU=corp,DC=example",
      "CN=ops\\,prod,OU=guests,DC=evil",
    ])
      expect(await seenWith(own), own).toBe(false);
    for (const own of ["LEADS@corp.example", "leads@corp.example", "CN=ops\\,prod,OU=corp,DC=example"])
      expect(await seenWith(own), own).toBe(true);
  });

  it.each([
    "//evil.example",
    "/\\evil.example",
    "https://evil.example",
    "/%09/evil.example",
    "/\t/evil.example",
    "javascript:alert(1)",
    "/..//evil.example",
    "/./\\evil.example",
    "\\\\evil.example",
    "/\r\nlocation: https://evil.example",
  ])("38: a sign-in does not redirect to %j", async (returnTo) => {
    const browser = platform.browser();
    platform.identity.account = { sub: people.ada, email: people.ada, email_verified: true };
    const begin = `${platform.url}/api/auth/login/company?return_to=${encodeURIComponent(returnTo)}`;
    const { url } = await browser.visit(
      begin,
      ({ origin, pathname }) =>
        origin !== platform.identity.issuer &&
        pathname !== "/api/auth/callback" &&
        !pathname.startsWith("/api/auth/login"),
    );
    expect(url.origin).toBe(platform.url);
  });

  it("38: error texts and pictures of a provider are not passed on", async () => {
    const browser = platform.browser();
    const change = (url: URL): void => {
      url.searchParams.delete("code");
      url.searchParams.set("error", "<script>alert(1)</script>");
      url.searchParams.set("error_description", "<img src=x onerror=alert(1)>");
    };
    const location = await signInWith({}, { browser, change });
    expect(location).toMatch(/^\/\?error=[a-z_]+$/);
    const pictured = platform.browser();
    await signInWith({ sub: "p", email: "p@example.com", picture: "javascript:alert(1)" }, { browser: pictured });
    expect(JSON.stringify((await send(pictured, `${platform.url}/api/auth/me`)).body)).not.toContain("javascript:");
  });
});

describe("revocation", () => {
  it("9: sessions end with the provider, the account and the group that they came from", async () => {
    const { client } = platform.cluster;
    const browser = platform.browser();
    const person = { sub: "leaver", email: "leaver@example.com", groups: ["admins"] };
    await signInWith(person, { browser });
    expect((await send(browser, `${platform.url}/api/users`)).status).toBe(200);
    await signInWith({ ...person, groups: [] });
    await eventually(async () => (await send(browser, `${platform.url}/api/users`)).status === 403, {
      timeoutMs: 1_000,
    });
    const patch = (issuerURL: string) =>
      client.patch(IdentityProvider, { name: "evil" }, { type: "merge", patch: { spec: { oidc: { issuerURL } } } });
    await patch("https://gone.example.com");
    await eventually(async () => (await send(browser, `${platform.url}/api/auth/me`)).status === 401, {
      timeoutMs: 1_000,
    });
    expect((await post(browser, `${platform.url}/api/auth/refresh`)).status).toBe(401);
    await patch(forged.issuer);
    const issuerNow = (): unknown => platform.state.identityProviders.get({ name: "evil" })?.spec.oidc?.issuerURL;
    await eventually(() => issuerNow() === forged.issuer);
    const again = platform.browser();
    await signInWith(person, { browser: again });
    const user = (await client.list(User)).items.find(({ spec }) => spec.email === person.email);
    await client.delete(User, { name: user?.metadata.name ?? "" });
    await eventually(async () => (await send(again, `${platform.url}/api/auth/me`)).status === 401, {
      timeoutMs: 1_000,
    });
    // A recreated account of the same name is a different one.
    const spec = { email: person.email, authType: "sso", platformRole: "admin" };
    await client.create(User, newObject(User, { name: user?.metadata.name ?? "" }, { spec }));
    await eventually(() => platform.state.users.get({ name: user?.metadata.name ?? "" }) !== undefined);
    expect((await send(again, `${platform.url}/api/auth/me`)).status).toBe(401);
  });

  it("9: a reused refresh token ends the session", async () => {
    const browser = await platform.signInAs({ email: people.vera });
    const stolen = browser.cookie(host, "butler_refresh") ?? "";
    expect((await post(browser, `${platform.url}/api/auth/refresh`)).status).toBe(200);
    platform.time.offsetMs += 60_000;
    try {
      const thief = platform.browser();
      thief.plant(host, "butler_refresh", stolen);
      expect((await post(thief, `${platform.url}/api/auth/refresh`)).status).toBe(401);
      await eventually(async () => (await post(browser, `${platform.url}/api/auth/refresh`)).status === 401);
    } finally {
      platform.time.offsetMs = 0;
    }
  });
});
