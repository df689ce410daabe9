import { namespaces, User } from "@butler/api";
import { builtinKinds } from "@butler/resource";
import { isRecord } from "@butler/std";
import { type Browser, host, newObject, post, type WholeServer } from "@butler/server/testing";
import { eventually } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { goodPassword, people, send, startPlatform, answerOf } from "./lib/platform.ts";

let platform: WholeServer;
let root: Browser;

beforeAll(async () => {
  platform = await startPlatform("security-accounts");
  root = await platform.signInAs({ email: people.root });
});

afterAll(() => platform?.stop());

const call = (path: string, body: unknown, url = platform.url) =>
  answerOf(
    fetch(`${url}/api/auth/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  );
const signIn = (email: string, password: string, url?: string) => call("login", { email, password }, url);

/** Invites a user, and returns the token of the invitation. */
async function invite(email: string): Promise<{ token: string; user: string }> {
  const answer = await send(root, `${platform.url}/api/admin/users`, { method: "POST", body: { email } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  const token = /invite[=/]([\w-]+)|token=([\w-]+)/.exec(JSON.stringify(answer.body));
  const user = platform.state.accountsOf(email)[0]?.metadata.name ?? "";
  return { token: token?.[1] ?? token?.[2] ?? "", user };
}

describe("passwords and invitations", () => {
  it("32: a sign-in does not reveal which accounts exist, neither by response nor by timing", async () => {
    const { token } = await invite("ida@example.com");
    expect((await call("set-password", { token, password: goodPassword })).status).toBe(200);
    await invite("pending@example.com");
    const timed = async (email: string) => {
      const began = performance.now();
      const { requestId: _id, ...body } = (await signIn(email, "not the password at all")).body;
      return { body, ms: performance.now() - began };
    };
    const asked = ["ida@example.com", "unknown@example.com", "pending@example.com", people.root];
    const answers: Awaited<ReturnType<typeof timed>>[] = [];
    for (const email of asked) answers.push(await timed(email));
    for (const { body } of answers) expect(body).toEqual(answers[0]?.body);
    for (const { ms } of answers) expect(ms).toBeGreaterThanOrEqual(95);
  });

  it("12: an invitation is valid once, also for two concurrent uses, and only for its account", async () => {
    const { token } = await invite("twice@example.com");
    expect(token.length).toBeGreaterThanOrEqual(32);
    const both = await Promise.all([
      call("set-password", { token, password: `${goodPassword}-a` }),
      call("set-password", { token, password: `${goodPassword}-b` }),
    ]);
    expect(both.map(({ status }) => status).sort((left, right) => left - right)).toEqual([200, 410]);
    expect((await call("set-password", { token, password: goodPassword })).status).toBe(410);
    const shown = await answerOf(fetch(`${platform.url}/api/auth/invite/${token}`));
    expect(shown.body).toEqual({ valid: false });
    for (const wrong of ["x".repeat(43), "..", "%00"]) {
      const answer = await answerOf(fetch(`${platform.url}/api/auth/invite/${encodeURIComponent(wrong)}`));
      expect(answer.body["email"]).toBeUndefined();
    }
  });

  it("11: a renewed invitation has a new token, and invalidates the old one", async () => {
    const first = await invite("renewed@example.com");
    const again = await send(root, `${platform.url}/api/admin/users/${first.user}/invite`, { method: "POST" });
    expect(again.status).toBe(200);
    expect(JSON.stringify(again.body)).not.toContain(first.token);
    await eventually(
      async () => (await answerOf(fetch(`${platform.url}/api/auth/invite/${first.token}`))).body["valid"] === false,
    );
    platform.time.offsetMs += 60 * 24 * 3_600_000;
    const latest = /invite[=/]([\w-]+)|token=([\w-]+)/.exec(JSON.stringify(again.body));
    try {
      const late = await call("set-password", { token: latest?.[1] ?? latest?.[2], password: goodPassword });
      expect(late.status).toBe(410);
    } finally {
      platform.time.offsetMs = 0;
    }
  });

  it("an account is locked for an address after failed passwords, concurrent attempts count each", async () => {
    const { token, user } = await invite("target@example.com");
    await call("set-password", { token, password: goodPassword });
    // Another server, because so many failures also throttle the address.
    const { url } = await platform.startAnother();
    const wrong = Array.from({ length: 12 }, (_, at) => signIn("target@example.com", `wrong password ${at}`, url));
    expect((await Promise.all(wrong)).every(({ status }) => status !== 200)).toBe(true);
    const { client } = platform.cluster;
    const { status } = await client.get(User, { name: user });
    expect(status?.failedLoginAttempts).toBeGreaterThanOrEqual(5);
    expect(status?.failedLoginAttempts).toBeLessThan(12);
    expect((await signIn("target@example.com", goodPassword, url)).status).toBe(401);
    // After failures from everywhere, it works on no new device and no server, with either name of the account.
    const lockedUntil = new Date(Date.now() + 600_000).toISOString().replace(/\.\d+Z$/, "Z");
    await client.patch(
      User,
      { name: user },
      { type: "merge", subresource: "status", patch: { status: { lockedUntil } } },
    );
    expect((await signIn("target@example.com", goodPassword, url)).status).toBe(401);
    expect((await signIn("TARGET@example.com", goodPassword)).status).toBe(401);
    expect((await call("login", { username: user, password: goodPassword })).status).toBe(401);
  });

  it("hole 12: failures from elsewhere do not lock an account's owner out", async () => {
    const { token, user } = await invite("owner@example.com");
    const { url } = await platform.startAnother({ server: { trustedProxies: ["127.0.0.1"] } });
    const postFrom = (path: string, body: object, from: string, cookie = "") =>
      fetch(`${url}/api/auth/${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-forwarded-for": from, cookie },
        body: JSON.stringify(body),
      });
    const logIn = async (from: string, password: string, cookie?: string): Promise<number> =>
      (await postFrom("login", { email: "owner@example.com", password }, from, cookie)).status;
    const first = await postFrom("set-password", { token, password: goodPassword }, "192.0.2.10");
    const device = first.headers
      .getSetCookie()
      .map((text) => text.split(";")[0] ?? "")
      .filter((pair) => pair.startsWith("butler_device="))
      .join();
    const attacker = "198.51.100.66";
    // At once, so that all of them are within the second that the address has to wait.
    const failAs = (sources: readonly string[]) =>
      Promise.all(sources.map((source, at) => logIn(source, `wrong password ${at}`)));
    expect(new Set(await failAs(Array.from({ length: 10 }, () => attacker)))).toEqual(new Set([401]));
    // The attacker's own address has to wait, also for the right password; the owner's has not.
    expect(await logIn(attacker, goodPassword)).toBe(401);
    expect(await logIn("203.0.113.5", goodPassword)).toBe(200);
    // A network of IPv6 counts as one address.
    await failAs(Array.from({ length: 10 }, (_none, at) => `2001:db8:1:2::${at + 1}`));
    expect(await logIn("2001:db8:1:2::ffff", goodPassword)).toBe(401);
    expect(await logIn("2001:db8:1:3::1", goodPassword)).toBe(200);
    // Failures from very many addresses slow new devices down, and never refuse one on which the owner was signed in.
    const lockedUntil = new Date(Date.now() + 600_000).toISOString().replace(/\.\d+Z$/, "Z");
    const patch = { status: { failedLoginAttempts: 80, lockedUntil } };
    await platform.cluster.client.patch(User, { name: user }, { type: "merge", subresource: "status", patch });
    expect(await logIn("203.0.113.6", goodPassword)).toBe(401);
    expect(device).not.toBe("");
    expect(await logIn(attacker, goodPassword, `${device}x`)).toBe(401);
    expect(await logIn(attacker, goodPassword, device)).toBe(200);
  });

  it("an address that sprays passwords is throttled, even with an account of its own", async () => {
    const { url } = await platform.startAnother();
    const { token } = await invite("sprayer@example.com");
    await call("set-password", { token, password: goodPassword });
    const statuses: number[] = [];
    for (let at = 0; at < 24; at++) {
      statuses.push((await signIn(`victim-${at}@example.com`, "Winter-2026-Winter", url)).status);
      if (at % 8 === 7) await signIn("sprayer@example.com", goodPassword, url);
    }
    expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 401));
    expect(statuses).toContain(429);
  });

  it("rejects a password that is weak, empty or of another type", async () => {
    const { token } = await invite("weak@example.com");
    for (const password of [
      "",
      "short",
      "password1234",
      "weak@example.com",
      "aaaaaaaaaaaaaaaa",
      "x".repeat(100),
      null,
      ["a"],
      { $ne: "" },
    ])
      expect((await call("set-password", { token, password })).status, JSON.stringify(password)).toBe(400);
    for (const body of [
      { email: people.root, password: "" },
      { email: { $gt: "" }, password: "x" },
      { username: "admin", password: "" },
    ])
      expect([400, 401]).toContain((await call("login", body)).status);
  });

  it("14: a password change ends every other session, and requires the old password", async () => {
    const { token } = await invite("changes@example.com");
    await call("set-password", { token, password: goodPassword });
    const [one, other] = [platform.browser(), platform.browser()];
    for (const browser of [one, other])
      await post(browser, `${platform.url}/api/auth/login`, { email: "changes@example.com", password: goodPassword });
    const change = (currentPassword: string) =>
      send(one, `${platform.url}/api/auth/password`, {
        method: "POST",
        body: { currentPassword, newPassword: `${goodPassword}-new` },
      });
    expect((await change("wrong one here")).status).toBe(403);
    expect((await change(goodPassword)).status).toBe(200);
    await eventually(async () => (await send(other, `${platform.url}/api/auth/me`)).status === 401, {
      timeoutMs: 1_000,
    });
    expect((await send(one, `${platform.url}/api/auth/me`)).status).toBe(200);
    expect(one.cookie(host, "butler_session")).toBeDefined();
  });

  it("a password Secret is ignored outside Butler's namespace", async () => {
    const { client } = platform.cluster;
    const { token, user } = await invite("moved@example.com");
    await call("set-password", { token, password: goodPassword });
    const known = await client.get(User, { name: user });
    const key = known.status?.passwordSecretRef;
    const secret = await client.get(builtinKinds.Secret, { name: key?.name ?? "", namespace: namespaces.system });
    const data = isRecord(secret["data"]) ? secret["data"] : {};
    await client.create(
      builtinKinds.Secret,
      newObject(builtinKinds.Secret, { name: "planted", namespace: "payments" }, { data }),
    );
    const patch = { status: { passwordSecretRef: { name: "planted", namespace: "payments" } } };
    await client.patch(User, { name: user }, { type: "merge", subresource: "status", patch });
    expect((await signIn("moved@example.com", goodPassword)).status).toBe(401);
  });
});

describe("the first administrator", () => {
  it("44: no password, key or account exists by default, and no set-up token once there is an administrator", async () => {
    expect((await call("login", { username: "admin", password: "" })).status).not.toBe(200);
    expect((await call("login", { username: "admin", password: "admin" })).status).not.toBe(200);
    const answer = await call("setup", { token: "x".repeat(43), email: "me@example.com", password: goodPassword });
    expect(answer.status).toBe(410);
    const providers = await answerOf(fetch(`${platform.url}/api/auth/providers`));
    expect(providers.body).toMatchObject({ legacyAuth: false, setupNeeded: false });
  });

  it("12: the set-up token creates one administrator, also for concurrent uses", async () => {
    const { client } = platform.cluster;
    const token = "a-token-that-was-read-from-the-log";
    const { url } = await platform.startAnother();
    const disable = (disabled: boolean) =>
      client.patch(User, { name: "root" }, { type: "merge", patch: { spec: { disabled } } });
    await disable(true);
    try {
      const data = { token: Buffer.from(token).toString("base64") };
      const key = { name: "butler-setup-token", namespace: namespaces.system };
      await client.apply(builtinKinds.Secret, newObject(builtinKinds.Secret, key, { data }), {
        fieldManager: "test",
        force: true,
      });
      await eventually(() => platform.state.users.get({ name: "root" })?.spec.disabled === true);
      expect(
        (await call("setup", { token: `${token}x`, email: "first@example.com", password: goodPassword }, url)).status,
      ).toBe(410);
      const all = await Promise.all(
        Array.from({ length: 6 }, (_, at) =>
          call("setup", { token, email: `first-${at}@example.com`, password: goodPassword }, url),
        ),
      );
      expect(all.filter(({ status }) => status === 200 || status === 201)).toHaveLength(1);
      expect((await call("setup", { token, email: "later@example.com", password: goodPassword })).status).toBe(410);
      const admins = (await client.list(User)).items.filter(
        ({ spec }) => spec.platformRole === "admin" && !spec.disabled,
      );
      expect(admins).toHaveLength(1);
    } finally {
      await disable(false);
    }
  });
});
