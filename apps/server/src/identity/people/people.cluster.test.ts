import { namespaces, User } from "@butler/api";
import { builtinKinds } from "@butler/resource";
import { eventually } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createInvitation } from "@butler/administration";
import { newObject } from "../../handlers/writing.ts";
import type { Browser } from "../sign-in/testing/browser.ts";
import {
  change,
  post,
  type Replica,
  type SigningServers,
  startSigningServers,
} from "../sign-in/testing/signing-servers.ts";
import { setupSecretKey } from "./setup.ts";

const { Secret } = builtinKinds;
const password = "correct horse battery";
let servers: SigningServers;
let first: Replica;
let second: Replica;

beforeAll(async () => {
  servers = await startSigningServers();
  [first, second] = await Promise.all([servers.start(), servers.start()]);
});

afterAll(() => servers?.stop());

const statusOf = async (browser: Browser, replica = first): Promise<number> =>
  (await browser.send(`${replica.url}/api/auth/me`)).status;

async function tokenOfSetup(): Promise<string> {
  const secret = await servers.cluster.client.get(Secret, setupSecretKey);
  return Buffer.from((secret["data"] as Record<string, string>)["token"] ?? "", "base64").toString();
}

/** Creates an account with a password, as an invited user would. */
async function newPerson(name: string): Promise<Browser> {
  const { client } = servers.cluster;
  const spec = { email: `${name}@example.com`, authType: "internal" };
  await client.create(User, newObject(User, { name }, { spec }));
  const browser = servers.browser();
  const token = await inviteAnew(name);
  const answer = await post(browser, `${first.url}/api/auth/set-password`, { token, password });
  expect(answer.status).toBe(200);
  return browser;
}

async function inviteAnew(name: string, now = new Date()): Promise<string> {
  const { token, tokenHash, expiresAt } = createInvitation(now);
  const status = { inviteTokenHash: tokenHash, inviteExpiresAt: expiresAt };
  const patch = { status };
  await servers.cluster.client.patch(User, { name }, { type: "merge", subresource: "status", patch });
  await eventually(() =>
    [first, second].every(({ state }) => state.users.get({ name })?.status?.inviteTokenHash === tokenHash),
  );
  return token;
}

/** Signs in. The failures of all tests of this file come from one address, which may be throttled first. */
function logIn(browser: Browser, name: string, given = password): Promise<Response> {
  return eventually(async () => {
    const answer = await post(browser, `${first.url}/api/auth/login`, {
      email: `${name}@example.com`,
      password: given,
    });
    return answer.status === 429 ? undefined : answer;
  });
}

describe("the first administrator", () => {
  it("is created once, with the setup token, despite concurrent attempts", async () => {
    const ways = await (await servers.browser().send(`${first.url}/api/auth/providers`)).json();
    expect(ways).toMatchObject({ providers: [], internalUsers: true, setupNeeded: true });
    const token = await tokenOfSetup();
    const setUp = (browser: Browser, replica: Replica, body: object): Promise<Response> =>
      post(browser, `${replica.url}/api/auth/setup`, { token, email: "root@example.com", password, ...body });
    expect((await setUp(servers.browser(), first, { token: "guess" })).status).toBe(410);
    expect((await setUp(servers.browser(), first, { password: "short" })).status).toBe(400);
    expect(await tokenOfSetup()).toBe(token);
    const browsers = [servers.browser(), servers.browser(), servers.browser(), servers.browser()];
    const answers = await Promise.all(
      browsers.map((browser, at) => setUp(browser, at % 2 === 0 ? first : second, { email: `root${at}@example.com` })),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted((left, right) => left - right)).toEqual([201, 410, 410, 410]);
    const winner = browsers[statuses.indexOf(201)];
    if (winner === undefined) throw new Error("no attempt succeeded");
    expect((await winner.send(`${first.url}/api/users`)).status).toBe(200);
    expect((await servers.cluster.client.list(User)).items).toHaveLength(1);
    expect(await servers.cluster.client.find(Secret, setupSecretKey)).toBeUndefined();
    expect((await setUp(servers.browser(), first, { email: "late@example.com" })).status).toBe(410);
  });
});

describe("an invitation", () => {
  it("works once, and opens a session", async () => {
    const browser = await newPerson("ada");
    expect(await statusOf(browser)).toBe(200);
    expect(await statusOf(browser, second)).toBe(200);
    const user = await servers.cluster.client.get(User, { name: "ada" });
    expect(user.status?.inviteTokenHash).toBeUndefined();
    expect(servers.records.at(-1)).toMatchObject({ user: "ada@example.com", action: "set-password", success: true });
    expect(JSON.stringify(servers.records)).not.toContain(password);
  });

  it("is not consumed by a rejected password, nor accepted twice concurrently", async () => {
    await servers.cluster.client.create(
      User,
      newObject(User, { name: "bob" }, { spec: { email: "bob@example.com", authType: "internal" } }),
    );
    const token = await inviteAnew("bob");
    const seen = await (await servers.browser().send(`${first.url}/api/auth/invite/${token}`)).json();
    expect(seen).toMatchObject({ valid: true, email: "bob@example.com" });
    const take = (replica: Replica, given: string): Promise<Response> =>
      post(servers.browser(), `${replica.url}/api/auth/set-password`, { token, password: given });
    const weak = await take(first, "bob@example.com");
    expect(await weak.json()).toMatchObject({ code: "INVALID", field: "password", reason: "WEAK_PASSWORD" });
    const words = ["first of the two", "second of the two", "third of the three"];
    const answers = await Promise.all(words.map((word, at) => take(at === 0 ? first : second, word)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted((left, right) => left - right)).toEqual([200, 410, 410]);
    // The stored password is that of the successful attempt.
    expect((await logIn(servers.browser(), "bob", words[statuses.indexOf(200)])).status).toBe(200);
    expect((await logIn(servers.browser(), "bob", words[statuses.indexOf(410)])).status).toBe(401);
    const secrets = await servers.cluster.client.list(Secret, { namespace: namespaces.system });
    const uid = (await servers.cluster.client.get(User, { name: "bob" })).metadata.uid ?? "?";
    expect(secrets.items.filter(({ metadata }) => metadata.name.includes(uid))).toHaveLength(1);
  });

  it("expires, and cannot be guessed", async () => {
    await newPerson("late");
    const token = await inviteAnew("late", new Date(Date.now() - 73 * 3_600_000));
    for (const given of [token, "guess"]) {
      expect(await (await servers.browser().send(`${first.url}/api/auth/invite/${given}`)).json()).toEqual({
        valid: false,
      });
      const answer = await post(servers.browser(), `${first.url}/api/auth/set-password`, { token: given, password });
      expect(answer.status).toBe(410);
    }
  });
});

describe("a password", () => {
  it("opens a session, by email address or account name", async () => {
    await newPerson("carol");
    const browser = servers.browser();
    const answer = await post(browser, `${second.url}/api/auth/login`, { username: "carol", password });
    expect(await answer.json()).toMatchObject({ user: { email: "carol@example.com", teams: [] } });
    expect(await statusOf(browser)).toBe(200);
    expect(servers.records.at(-1)).toMatchObject({ user: "carol@example.com", action: "sign-in", success: true });
  });

  it("that is wrong, of an unknown or of a disabled account gets the same response in the same time", async () => {
    await newPerson("dave");
    await servers.cluster.client.patch(User, { name: "dave" }, { type: "merge", patch: { spec: { disabled: true } } });
    await newPerson("erin");
    const tries: [string, string][] = [
      ["nobody", password],
      ["erin", "not her password"],
      ["dave", password],
    ];
    const answers: string[] = [];
    for (const [name, given] of tries) {
      const beganMs = performance.now();
      const answer = await logIn(servers.browser(), name, given);
      expect(performance.now() - beganMs).toBeGreaterThanOrEqual(95);
      const { requestId: _own, ...problem } = (await answer.json()) as { requestId: string };
      answers.push(JSON.stringify([answer.status, problem]));
    }
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toContain("UNAUTHENTICATED");
    const failed = servers.records.filter(({ action, success }) => action === "sign-in" && !success).slice(-3);
    expect(failed.map(({ resourceName }) => resourceName)).toEqual(["", "erin", "dave"]);
  });

  it("is locked for an address after several failures, also concurrent ones, and unlocked by an invitation", async () => {
    await newPerson("frank");
    await Promise.all(Array.from({ length: 8 }, () => logIn(servers.browser(), "frank", "a wrong password")));
    const { status } = await servers.cluster.client.get(User, { name: "frank" });
    expect(status?.failedLoginAttempts).toBeGreaterThanOrEqual(5);
    // Of eight attempts at once only some were checked: the address has to wait.
    expect(status?.failedLoginAttempts).toBeLessThan(8);
    expect(status?.lockedUntil).toBeUndefined();
    const patch = { status: { lockedUntil: "2999-01-01T00:00:00Z" } };
    await servers.cluster.client.patch(User, { name: "frank" }, { type: "merge", subresource: "status", patch });
    expect((await logIn(servers.browser(), "frank")).status).toBe(401);
    const token = await inviteAnew("frank");
    await post(servers.browser(), `${first.url}/api/auth/set-password`, { token, password });
    expect((await logIn(servers.browser(), "frank")).status).toBe(200);
  });

  it("opens no session that cannot be audited", async () => {
    await newPerson("olga");
    const browser = servers.browser();
    servers.faults.audit = true;
    try {
      const answer = await logIn(browser, "olga");
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([503, []]);
    } finally {
      servers.faults.audit = false;
    }
    expect(await statusOf(browser)).toBe(401);
  });

  it("change ends every other session, on every server", async () => {
    const own = await newPerson("grace");
    const other = servers.browser();
    await logIn(other, "grace");
    expect(await statusOf(other, second)).toBe(200);
    const address = `${first.url}/api/auth/password`;
    const wrong = await post(own, address, { currentPassword: "a wrong password", newPassword: "another long one" });
    expect(wrong.status).toBe(403);
    const answer = await post(own, address, { currentPassword: password, newPassword: "another long one" });
    expect(await answer.json()).toEqual({ ended: 1 });
    await eventually(async () => (await statusOf(other, second)) === 401, { timeoutMs: 1_000 });
    expect(await statusOf(own, second)).toBe(200);
    expect((await logIn(servers.browser(), "grace")).status).toBe(401);
    expect((await logIn(servers.browser(), "grace", "another long one")).status).toBe(200);
  });

  it("of a deleted account does not work for a recreated account of the same name", async () => {
    const before = await newPerson("heidi");
    const { client } = servers.cluster;
    await client.delete(User, { name: "heidi" });
    await eventually(async () => (await client.find(User, { name: "heidi" })) === undefined);
    await client.create(
      User,
      newObject(
        User,
        { name: "heidi" },
        { spec: { email: "heidi@example.com", authType: "internal", platformRole: "admin" } },
      ),
    );
    await eventually(async () => (await statusOf(before)) === 401, { timeoutMs: 1_000 });
    expect((await logIn(servers.browser(), "heidi")).status).toBe(401);
  });
});

describe("an administrator", () => {
  it("ends the sessions of an account", async () => {
    const root = await newPerson("ivan");
    await servers.cluster.client.patch(
      User,
      { name: "ivan" },
      { type: "merge", patch: { spec: { platformRole: "admin" } } },
    );
    const person = await newPerson("judy");
    const address = `${first.url}/api/admin/users/judy/sessions`;
    // The server has roles and sessions once the API server has sent them.
    await eventually(async () => {
      const answer = await root.send(address);
      return answer.status === 200 && ((await answer.json()) as { readonly total: number }).total === 1;
    });
    expect((await change(person, address, { method: "DELETE" })).status).toBe(403);
    const other = servers.browser();
    expect((await logIn(other, "judy")).status).toBe(200);
    const newest = await eventually(async () => {
      const { sessions } = (await (await root.send(address)).json()) as {
        readonly sessions: readonly { id: string }[];
      };
      return sessions.length === 2 ? sessions[0]?.id : undefined;
    });
    // Under another account's name the session is not found, although it exists.
    const elsewhere = `${first.url}/api/admin/users/ivan/sessions/${newest}`;
    expect((await change(root, elsewhere, { method: "DELETE" })).status).toBe(404);
    expect(await (await change(root, `${address}/${newest}`, { method: "DELETE" })).json()).toEqual({ ended: 1 });
    await eventually(async () => (await statusOf(other, second)) === 401, { timeoutMs: 1_000 });
    expect(await statusOf(person, second)).toBe(200);
    expect(await (await change(root, address, { method: "DELETE" })).json()).toEqual({ ended: 1 });
    await eventually(async () => (await statusOf(person, second)) === 401, { timeoutMs: 1_000 });
  });

  it("has cookies that pages cannot read, except for the CSRF cookie", async () => {
    await newPerson("kim");
    // The first server may have counted so many failures by now that it throttles this address.
    const answer = await post(servers.browser(), `${second.url}/api/auth/login`, { username: "kim", password });
    expect(answer.status).toBe(200);
    const set = Object.fromEntries(answer.headers.getSetCookie().map((text) => [text.split("=", 1)[0] ?? "", text]));
    expect(set["butler_session"]).toMatch(/; Max-Age=300; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(set["butler_refresh"]).toMatch(/; Max-Age=\d+; Path=\/api\/auth; HttpOnly; SameSite=Strict$/);
    expect(set["butler_csrf"]).not.toContain("HttpOnly");
  });
});
