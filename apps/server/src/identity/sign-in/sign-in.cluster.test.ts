import { IdentityProvider, namespaces, Team, User } from "@butler/api";
import { builtinKinds } from "@butler/resource";
import { eventually } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newObject } from "../../handlers/writing.ts";
import type { SignedIn } from "../../ports.ts";
import { stateCookieName } from "./sealed-state.ts";
import type { Browser } from "./testing/browser.ts";
import { type Account, type IdentityServer, startIdentityServer } from "./testing/identity-server.ts";
import {
  change,
  host,
  post,
  type Replica,
  type SigningServers,
  startSigningServers,
} from "./testing/signing-servers.ts";

const ada: Account = { sub: "ada-1", email: "Ada@example.com", email_verified: true, name: "Ada", groups: ["devs"] };

let servers: SigningServers;
let first: Replica;
let second: Replica;
let identity: IdentityServer;

beforeAll(async () => {
  servers = await startSigningServers();
  [first, second] = [await servers.start(), await servers.start({ times: { leewayMs: 100 } })];
  const redirectURL = `${first.url}/api/auth/callback`;
  identity = await startIdentityServer(servers.authority, { redirectURL, account: ada });
  const { client } = servers.cluster;
  const data = { "client-secret": Buffer.from(identity.clientSecret).toString("base64") };
  const metadata = { name: "company-oidc-secret", namespace: namespaces.system };
  await client.create(builtinKinds.Secret, newObject(builtinKinds.Secret, metadata, { type: "Opaque", data }));
  const oidc = {
    issuerURL: identity.issuer,
    clientID: "butler",
    clientSecretRef: metadata,
    redirectURL,
    scopes: ["email", "profile", "groups"],
  };
  const platformRoleGroups = [{ name: "platform-team", role: "viewer" }];
  const spec = { type: "oidc", oidc, platformRoleGroups };
  await client.create(IdentityProvider, newObject(IdentityProvider, { name: "company" }, { spec }));
  const access = { groups: [{ name: "devs", role: "operator", identityProvider: "company" }] };
  await client.create(Team, newObject(Team, { name: "payments" }, { spec: { access } }));
  await eventually(() => [first, second].every(({ state }) => state.identityProviders.size + state.teams.size === 2));
});

afterAll(async () => {
  await identity?.stop();
  await servers?.stop();
});

/** Signs a user in and returns the final URL. */
async function signIn(browser: Browser, account: Account = ada, returnTo = "/clusters"): Promise<URL> {
  identity.account = account;
  const begin = `${first.url}/api/auth/login/company?return_to=${encodeURIComponent(returnTo)}`;
  const { url } = await browser.visit(
    begin,
    ({ origin, pathname }) => origin === first.url && pathname !== "/api/auth/callback",
  );
  return url;
}

async function statusOf(browser: Browser, replica: Replica = first): Promise<number> {
  return (await browser.send(`${replica.url}/api/auth/me`)).status;
}

const onCallback = ({ pathname }: URL): boolean => pathname === "/api/auth/callback";

describe("signing in through a provider", () => {
  it("opens a session on every server, with the user's teams and account", async () => {
    const browser = servers.browser();
    const url = await signIn(browser);
    expect(url.pathname + url.search).toBe("/clusters");
    for (const replica of [first, second]) {
      const answer = await browser.send(`${replica.url}/api/auth/me`);
      expect(await answer.json()).toEqual({
        email: "ada@example.com",
        name: "Ada",
        teams: [{ name: "payments", role: "operator" }],
        isPlatformAdmin: false,
      });
    }
    const user = await servers.cluster.client.get(User, { name: "ada-example-com" });
    expect(user.spec).toMatchObject({ authType: "sso", ssoProvider: "company", ssoSubject: "ada-1" });
    expect(user.status).toMatchObject({ lastSeenGroups: ["devs"], loginCount: 1 });
    expect(servers.records.at(-1)).toMatchObject({ user: "ada@example.com", action: "sign-in", success: true });
  });

  it("grants a platform role through a group of the provider, and revokes it with the group", async () => {
    const browser = servers.browser();
    const eve = { ...ada, sub: "eve", email: "eve@example.com", groups: ["platform-team"] };
    await signIn(browser, eve);
    expect((await browser.send(`${first.url}/api/users`)).status).toBe(200);
    // A later sign-in elsewhere without the group counts for this session, too.
    await signIn(servers.browser(), { ...eve, groups: [] });
    expect((await browser.send(`${first.url}/api/users`)).status).toBe(403);
  });

  it("does not redirect to other servers", async () => {
    const url = await signIn(servers.browser(), ada, "//evil.example/x");
    expect(url.href).toBe(`${first.url}/`);
  });

  it("rejects another subject with the same email address, and leaves the account unchanged", async () => {
    const browser = servers.browser();
    const url = await signIn(browser, { ...ada, sub: "another-user" });
    expect(url.search).toBe("?error=subject_changed");
    expect(await statusOf(browser)).toBe(401);
    expect((await servers.cluster.client.get(User, { name: "ada-example-com" })).spec.ssoSubject).toBe("ada-1");
    expect(servers.records.at(-1)).toMatchObject({ action: "sign-in", success: false, code: "subject_changed" });
  });

  it("rejects an unverified email address, and that of an account with a password", async () => {
    const url = await signIn(servers.browser(), { ...ada, sub: "x", email: "new@example.com", email_verified: false });
    expect(url.search).toBe("?error=email_unverified");
    const spec = { email: "local@example.com", authType: "internal" };
    await servers.cluster.client.create(User, newObject(User, { name: "local" }, { spec }));
    await eventually(() => first.state.users.get({ name: "local" }) !== undefined);
    const other = await signIn(servers.browser(), { ...ada, sub: "y", email: "local@example.com" });
    expect(other.search).toBe("?error=account_is_internal");
  });

  it("distinguishes accounts whose email addresses map to the same name", async () => {
    await signIn(servers.browser(), { ...ada, sub: "n-1", email: "a.b@example.com" });
    await signIn(servers.browser(), { ...ada, sub: "n-2", email: "a-b@example.com" });
    const named = first.state.users.list().filter(({ metadata }) => metadata.name.startsWith("a-b-example-com"));
    expect(named.map(({ spec }) => spec.email).sort()).toEqual(["a-b@example.com", "a.b@example.com"]);
  });

  it("accepts a callback once, from the same browser, on any server", async () => {
    identity.account = ada;
    const browser = servers.browser();
    const { url } = await browser.visit(`${first.url}/api/auth/login/sso`, onCallback);
    const stranger = servers.browser();
    const refused = await stranger.send(url);
    expect(refused.headers.get("location")).toBe("/?error=state_invalid");
    const name = stateCookieName(url.searchParams.get("state") ?? "");
    const sealed = browser.cookie(host, name);
    const there = new URL(url.pathname + url.search, second.url);
    expect((await browser.send(there)).headers.get("location")).toBe("/");
    expect(await statusOf(browser)).toBe(200);
    // The cookie was cleared, and a copy of it does not work either.
    expect((await browser.send(url)).headers.get("location")).toBe("/?error=state_invalid");
    browser.plant(host, name, sealed ?? "");
    expect((await browser.send(url)).headers.get("location")).toMatch(/error=(answer|state)_invalid/);
  });

  it("keeps working after the provider rotates its keys", async () => {
    identity.rotateKeys();
    await eventually(async () => (await signIn(servers.browser())).search === "");
  });
});

describe("a session", () => {
  it("ends within a second for a disabled user, on every server and for open connections", async () => {
    const browser = servers.browser();
    await signIn(browser, { ...ada, sub: "d", email: "d@example.com" });
    const seen: (SignedIn | undefined)[] = [];
    second.signIn.onCallerChanged(await sessionIdOf(browser), (caller) => seen.push(caller));
    expect([await statusOf(browser), await statusOf(browser, second)]).toEqual([200, 200]);
    const patch = { spec: { disabled: true } };
    await servers.cluster.client.patch(User, { name: "d-example-com" }, { type: "merge", patch });
    await eventually(async () => (await statusOf(browser)) === 401, { timeoutMs: 1_000 });
    await eventually(async () => (await statusOf(browser, second)) === 401, { timeoutMs: 1_000 });
    await eventually(() => seen.length === 1 && seen[0] === undefined, { timeoutMs: 1_000 });
    const url = await signIn(servers.browser(), { ...ada, sub: "d", email: "d@example.com" });
    expect(url.search).toBe("?error=account_disabled");
  });

  it("reports when a team changes its user's access", async () => {
    const browser = servers.browser();
    await signIn(browser);
    const seen: (SignedIn | undefined)[] = [];
    const end = first.signIn.onCallerChanged(await sessionIdOf(browser), (caller) => seen.push(caller));
    const { client } = servers.cluster;
    await client.patch(Team, { name: "payments" }, { type: "merge", patch: { spec: { access: { groups: [] } } } });
    await eventually(() => seen.length === 1, { timeoutMs: 1_000 });
    expect(seen[0]?.person.email).toBe("ada@example.com");
    expect(await (await browser.send(`${first.url}/api/auth/teams`)).json()).toMatchObject({ teams: [] });
    end();
    const groups = [{ name: "devs", role: "operator", identityProvider: "company" }];
    await client.patch(Team, { name: "payments" }, { type: "merge", patch: { spec: { access: { groups } } } });
    await eventually(async () =>
      JSON.stringify(await (await browser.send(`${first.url}/api/auth/teams`)).json()).includes("operator"),
    );
    expect(seen).toHaveLength(1);
  });

  it("ends when its provider is deleted or its issuer changes", async () => {
    const browser = servers.browser();
    await signIn(browser);
    const { client } = servers.cluster;
    const patch = (issuerURL: string) =>
      client.patch(IdentityProvider, { name: "company" }, { type: "merge", patch: { spec: { oidc: { issuerURL } } } });
    await patch("https://other.example.com");
    try {
      await eventually(async () => (await statusOf(browser)) === 401, { timeoutMs: 1_000 });
    } finally {
      await patch(identity.issuer);
    }
    await eventually(async () => (await statusOf(browser)) === 200);
  });

  it("ended by one server ends on the other within a second", async () => {
    const browser = servers.browser();
    await signIn(browser);
    expect(await statusOf(browser, second)).toBe(200);
    const other = servers.browser();
    await signIn(other);
    const list = (await (await other.send(`${first.url}/api/auth/sessions`)).json()) as SessionsAnswer;
    expect(list.sessions.filter(({ isCurrent }) => isCurrent)).toHaveLength(1);
    const id = await sessionIdOf(browser);
    const ended = await change(other, `${first.url}/api/auth/sessions/${id}`, { method: "DELETE" });
    expect(await ended.json()).toEqual({ ended: 1 });
    await eventually(async () => (await statusOf(browser, second)) === 401, { timeoutMs: 1_000 });
    expect(await statusOf(other, second)).toBe(200);
  });

  it("of another user is not found", async () => {
    const [own, other] = [servers.browser(), servers.browser()];
    await signIn(own);
    await signIn(other, { ...ada, sub: "o", email: "o@example.com" });
    const address = `${first.url}/api/auth/sessions/${await sessionIdOf(other)}`;
    expect((await change(own, address, { method: "DELETE" })).status).toBe(404);
    expect((await own.send(`${first.url}/api/admin/users/o-example-com/sessions`)).status).toBe(403);
    expect(await statusOf(other)).toBe(200);
  });

  it("ends when a refresh token is reused", async () => {
    const browser = servers.browser();
    await signIn(browser);
    const stolen = browser.cookie(host, "butler_refresh") ?? "";
    expect((await post(browser, `${second.url}/api/auth/refresh`)).status).toBe(200);
    expect(browser.cookie(host, "butler_refresh")).not.toBe(stolen);
    expect(await statusOf(browser)).toBe(200);
    const thief = servers.browser();
    const again = async (): Promise<number> => {
      thief.plant(host, "butler_refresh", stolen);
      return (await post(thief, `${second.url}/api/auth/refresh`)).status;
    };
    // For a moment it might be another page of the same browser; it gets nothing even then.
    expect([401, 409]).toContain(await again());
    await eventually(async () => (await again()) === 401);
    await eventually(async () => (await statusOf(browser)) === 401, { timeoutMs: 1_000 });
    expect((await post(browser, `${first.url}/api/auth/refresh`)).status).toBe(401);
  });

  it("ends with a sign-out, despite copies of its cookies", async () => {
    const browser = servers.browser();
    await signIn(browser);
    const copy = servers.browser();
    copy.plant(host, "butler_session", browser.cookie(host, "butler_session") ?? "");
    expect(await statusOf(copy, second)).toBe(200);
    expect((await post(browser, `${first.url}/api/auth/logout`)).status).toBe(200);
    expect(browser.cookie(host, "butler_session")).toBeUndefined();
    await eventually(async () => (await statusOf(copy, second)) === 401, { timeoutMs: 1_000 });
  });

  it("rejects writes from a page of another site", async () => {
    const browser = servers.browser();
    await signIn(browser);
    const address = `${first.url}/api/auth/sessions`;
    const csrf = browser.cookie(host, "butler_csrf") ?? "";
    const send = async (headers: Record<string, string>): Promise<number> =>
      (await browser.send(address, { method: "DELETE", headers })).status;
    expect(await send({})).toBe(403);
    expect(await send({ "x-butler-csrf": "wrong" })).toBe(403);
    expect(await send({ "x-butler-csrf": csrf, origin: "https://evil.example" })).toBe(403);
    expect(await send({ "x-butler-csrf": csrf, "sec-fetch-site": "cross-site" })).toBe(403);
    expect(await send({ "x-butler-csrf": csrf, origin: first.url })).toBe(200);
    const token = browser.cookie(host, "butler_session") ?? "";
    const program = await fetch(address, { method: "DELETE", headers: { authorization: `Bearer ${token}` } });
    expect(program.status).toBe(200);
    const elsewhere = { method: "POST", headers: { origin: "https://evil.example" } };
    expect((await browser.send(`${first.url}/api/auth/logout`, elsewhere)).status).toBe(403);
    expect(await statusOf(browser)).toBe(200);
  });
});

interface SessionsAnswer {
  readonly sessions: readonly { readonly id: string; readonly isCurrent: boolean }[];
}

async function sessionIdOf(browser: Browser): Promise<string> {
  const list = (await (await browser.send(`${first.url}/api/auth/sessions`)).json()) as SessionsAnswer;
  return list.sessions.find(({ isCurrent }) => isCurrent)?.id ?? "";
}
