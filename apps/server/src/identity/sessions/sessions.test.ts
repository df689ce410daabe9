import { FakeClock } from "@butler/testkit";
import type { IdentityProvider, User } from "@butler/api";
import type { Informer, KubeClient } from "@butler/kube";
import type { builtinKinds, DynamicObject } from "@butler/resource";
import fc from "fast-check";
import { SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { openState, safeReturnTo, sealState, type SignInState } from "../sign-in/sealed-state.ts";
import { AccessTokens, signAccessToken } from "./access-token.ts";
import { callerOf } from "./authenticator.ts";
import { bearerOf, cookiesOf, cookieText, isSameOrigin, ownCookie } from "./cookies.ts";
import {
  csrfTokenOf,
  defaultTimes,
  hashOf,
  isOver,
  judgeRefresh,
  secretOfSession,
  sessionOfSecret,
  type SessionRecord,
} from "./session-record.ts";
import { cookiesForNobody, cookiesForSession } from "./session-cookies.ts";
import type { SessionStore } from "./session-store.ts";
import { KeyRing, makeKey, planKeys, signerAt, type StoredKey } from "./signing-keys.ts";

const record: SessionRecord = {
  id: "0".repeat(32),
  user: "ada",
  userUid: "u-1",
  method: "password",
  credential: "butler-password-u-1-x",
  createdAt: 0,
  expiresAt: defaultTimes.absoluteMs,
  usedAt: 0,
  refreshHash: hashOf("first"),
  spentHashes: [],
  csrfKey: "key",
  sourceAddress: "192.0.2.1",
  userAgent: "test",
};

describe("a refresh token", () => {
  const ask = (presented: string, from: SessionRecord, nowMs: number) =>
    judgeRefresh(from, { presented, nextHash: hashOf("second"), nowMs, times: defaultTimes });
  const rotated = (() => {
    const verdict = ask("first", record, 1_000);
    if (verdict.kind !== "rotate") throw new Error("it should work once");
    return verdict.next;
  })();

  it.each<[string, string, SessionRecord, number, string]>([
    ["works once", "first", record, 1_000, "rotate"],
    ["cannot be guessed", "guess", record, 1_000, "refused"],
    ["that is empty is rejected", "", record, 1_000, "refused"],
    ["expires with the session", "first", record, record.expiresAt, "refused"],
    ["expires when it is not used", "first", record, defaultTimes.idleMs, "refused"],
    ["used concurrently by another page gets a conflict", "first", rotated, 5_999, "busy"],
    ["used again later counts as stolen", "first", rotated, 6_000, "stolen"],
    ["that replaced it works", "second", rotated, 6_000, "rotate"],
  ])("%s", (_name, presented, from, nowMs, expected) => expect(ask(presented, from, nowMs).kind).toBe(expected));

  it("that was used never works again, however many were used since", () => {
    fc.assert(
      fc.property(fc.nat({ max: 30 }), fc.nat({ max: 30 }), (rounds, which) => {
        let current = record;
        const used = ["first"];
        for (let round = 0; round <= rounds; round++) {
          const nextHash = hashOf(`t${round}`);
          const verdict = judgeRefresh(current, {
            presented: used.at(-1) ?? "",
            nextHash,
            nowMs: round,
            times: defaultTimes,
          });
          if (verdict.kind !== "rotate") throw new Error(verdict.kind);
          current = verdict.next;
          used.push(`t${round}`);
        }
        const old = used[Math.min(which, used.length - 2)] ?? "";
        expect(["stolen", "busy"]).toContain(ask(old, current, rounds).kind);
        expect(ask(old, current, rounds + defaultTimes.leewayMs).kind).toBe("stolen");
      }),
    );
  });
});

describe("a session", () => {
  it("ends at its expiration time and when it is idle", () => {
    expect(isOver(record, defaultTimes, defaultTimes.idleMs - 1)).toBe(false);
    expect(isOver(record, defaultTimes, defaultTimes.idleMs)).toBe(true);
    expect(isOver({ ...record, usedAt: record.expiresAt }, defaultTimes, record.expiresAt)).toBe(true);
  });

  it("survives a round trip through its Secret, and is read from no other", () => {
    const secret = secretOfSession(record) as DynamicObject;
    expect(sessionOfSecret(secret)).toEqual(record);
    expect(sessionOfSecret({ ...secret, type: "Opaque" })).toBeUndefined();
    expect(sessionOfSecret({ ...secret, metadata: { ...secret.metadata, name: "butler-session-x" } })).toBeUndefined();
    expect(sessionOfSecret({ ...secret, data: { session: "bm8=" } })).toBeUndefined();
  });

  it("has a CSRF token of its own", () => {
    expect(csrfTokenOf(record)).not.toBe(csrfTokenOf({ ...record, id: "1" }));
    expect(csrfTokenOf(record)).not.toBe(csrfTokenOf({ ...record, csrfKey: "other" }));
  });
});

describe("the user of a session", () => {
  const spec = { email: "Ada@example.com", disabled: false, authType: "internal", isPlatformAdmin: false } as const;
  const status = { passwordSecretRef: { name: "butler-password-u-1-x" }, lastSeenGroups: ["left-over"] };
  const user = { metadata: { name: "ada", uid: "u-1" }, spec, status } as unknown as User;
  const provider = { metadata: { name: "company" }, spec: { oidc: { issuerURL: "https://i" } } } as IdentityProvider;
  const viaSso: SessionRecord = { ...record, method: "oidc", provider: "company", issuer: "https://i", subject: "s" };
  const sso = { ...user, spec: { ...spec, authType: "sso", ssoProvider: "company", ssoSubject: "s" } } as User;

  it("is the account, without claims of a provider that it does not use", () => {
    const caller = callerOf(record, user, undefined);
    expect(caller).toMatchObject({ person: { email: "ada@example.com", groups: [] }, sessionId: record.id });
    expect(callerOf(viaSso, sso, provider)?.person).toMatchObject({
      groups: ["left-over"],
      identityProvider: "company",
    });
  });

  it.each<[string, SessionRecord, User | undefined, IdentityProvider | undefined]>([
    ["was deleted", record, undefined, undefined],
    ["is another of the same name", record, { ...user, metadata: { name: "ada", uid: "u-2" } }, undefined],
    ["is disabled", record, { ...user, spec: { ...spec, disabled: true } }, undefined],
    ["is being deleted", record, { ...user, metadata: { ...user.metadata, deletionTimestamp: "x" } }, undefined],
    ["has another password", record, { ...user, status: { passwordSecretRef: { name: "other" } } }, undefined],
    ["signs in through a provider now", record, sso, provider],
    ["has a password now", viaSso, user, provider],
    ["is of another subject", { ...viaSso, subject: "t" }, sso, provider],
    ["is of a deleted provider", viaSso, sso, undefined],
    ["is of another issuer", { ...viaSso, issuer: "https://j" }, sso, provider],
  ])("is undefined if the account %s", (_name, session, account, from) => {
    expect(callerOf(session, account, from)).toBeUndefined();
  });
});

describe("signing keys", () => {
  const make = (activeAt: number): StoredKey => ({ id: String(activeAt), privateKey: "", sealKey: "", activeAt });
  const day = 24 * 3_600_000;

  it("are created, announced, rotated and deleted", () => {
    const first = planKeys([], 0, make);
    expect(first.map(({ activeAt }) => activeAt)).toEqual([0]);
    expect(planKeys(first, day - 1, make)).toEqual(first);
    const two = planKeys(first, day, make);
    expect(two.map(({ activeAt }) => activeAt)).toEqual([0, day + 120_000]);
    expect(signerAt(two, day + 119_999)?.id).toBe("0");
    expect(signerAt(two, day + 120_000)?.id).toBe(String(day + 120_000));
    expect(planKeys(two, day + 120_000 + 1_799_999, make)).toHaveLength(2);
    expect(planKeys(two, day + 120_000 + 1_800_000, make)).toHaveLength(1);
  });

  it("always sign, and their signatures verify as long as the tokens are valid", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2 * day }), { maxLength: 20 }), (steps) => {
        let keys: StoredKey[] = [];
        let nowMs = 0;
        let signed: { id: string; atMs: number }[] = [];
        for (const step of steps) {
          nowMs += step;
          keys = planKeys(keys, nowMs, make);
          const signer = signerAt(keys, nowMs);
          expect(signer).toBeDefined();
          signed = signed.filter(({ atMs }) => nowMs - atMs < 10 * 60_000);
          for (const { id } of signed) expect(keys.map((key) => key.id)).toContain(id);
          signed.push({ id: signer?.id ?? "", atMs: nowMs });
        }
      }),
    );
  });
});

describe("tokens and sealed states", () => {
  const clock = new FakeClock();
  const ringOf = (keys: readonly StoredKey[]): KeyRing => {
    const data = { keys: Buffer.from(JSON.stringify(keys)).toString("base64") };
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "x" }, data };
    const secrets = { get: () => secret } as unknown as Informer<typeof builtinKinds.Secret>;
    return new KeyRing({ client: {} as KubeClient, secrets, clock });
  };
  const key = makeKey(0);
  const ring = ringOf([key]);
  const state: SignInState = {
    provider: "company",
    issuer: "https://i",
    state: "state",
    nonce: "nonce",
    verifier: "verifier",
    returnTo: "/",
    sessionId: "0".repeat(32),
  };

  it("are read by any replica with the keys, until they expire", async () => {
    const token = await signAccessToken(ring, { sessionId: "s", user: "ada" }, { clock, lifetimeMs: 300_000 });
    expect(await new AccessTokens(ringOf([key]), clock).read(token)).toMatchObject({ sessionId: "s", user: "ada" });
    expect(await new AccessTokens(ringOf([makeKey(0)]), clock).read(token)).toBeUndefined();
    const sealed = await sealState(ring, state, clock);
    expect(await openState(ringOf([key]), sealed, clock)).toEqual(state);
    expect(await openState(ringOf([makeKey(0)]), sealed, clock)).toBeUndefined();
    clock.advance(300_000);
    expect(await new AccessTokens(ring, clock).read(token)).toBeUndefined();
    clock.advance(300_000);
    expect(await openState(ring, sealed, clock)).toBeUndefined();
  });

  it("that were cached still expire with their time and their key", async () => {
    const rings = [ring, ringOf([makeKey(0)])];
    let at = 0;
    const turning = new Proxy(ring, {
      get: (_target, name) => {
        const value: unknown = Reflect.get(rings[at] ?? ring, name);
        return typeof value === "function" ? (value as () => unknown).bind(rings[at]) : value;
      },
    });
    const own = new FakeClock();
    const tokens = new AccessTokens(turning, own, 2);
    const sign = (user: string) => signAccessToken(ring, { sessionId: "s", user }, { clock: own, lifetimeMs: 300_000 });
    const signed = await Promise.all(["a", "b", "c"].map(sign));
    for (const token of [...signed, ...signed]) expect(await tokens.read(token)).toBeDefined();
    at = 1;
    for (const token of signed) expect(await tokens.read(token)).toBeUndefined();
    at = 0;
    for (const token of signed) expect(await tokens.read(token)).toBeDefined();
    own.advance(300_000);
    for (const token of signed) expect(await tokens.read(token)).toBeUndefined();
  });

  it("are in Secure cookies if the server is reached over https", async () => {
    const sessions = { times: defaultTimes } as SessionStore;
    const nowMs = clock.now().getTime();
    const opened = { record: { ...record, expiresAt: nowMs + 60_000 }, refreshToken: "r" };
    for (const [publicUrl, byTls, isSecure] of [
      ["https://butler.example.com", false, true],
      ["http://127.0.0.1", false, false],
      ["http://127.0.0.1", true, true],
      ["", true, true],
    ] as const) {
      const request = { isSecure: byTls };
      const cookies = await cookiesForSession({ keys: ring, sessions, clock, publicUrl }, opened, request);
      const over = cookiesForNobody(publicUrl, request);
      for (const text of [...cookies, ...over]) {
        expect(/; Secure(?:;|$)/.test(text)).toBe(isSecure);
        // Another host of the same domain cannot set a cookie with this prefix, which requires this path.
        expect(/^__Host-[^;]+;.*; Path=\/;/.test(text)).toBe(isSecure);
        expect(text).not.toContain("Domain=");
      }
      // Nothing outlives the session.
      for (const text of cookies) expect(text).toContain("; Max-Age=60;");
      for (const text of over) expect(text).toContain("; Max-Age=0;");
    }
  });

  it("are rejected if any part of them differs", async () => {
    const { id, privateKey } = ring.signer;
    const seconds = Math.floor(clock.now().getTime() / 1_000);
    const forged = (change: (token: SignJWT) => SignJWT, header: object = {}) =>
      change(
        new SignJWT({ sid: "s" })
          .setProtectedHeader({ alg: "EdDSA", kid: id, typ: "at+jwt", ...header })
          .setIssuer("butler-server")
          .setAudience("butler")
          .setSubject("ada")
          .setIssuedAt(seconds)
          .setExpirationTime(seconds + 60),
      ).sign(privateKey);
    expect(await new AccessTokens(ring, clock).read(await forged((token) => token))).toBeDefined();
    const wrong = [
      await forged((token) => token.setIssuer("other")),
      await forged((token) => token.setAudience("something")),
      await forged((token) => token.setExpirationTime(seconds - 1)),
      await forged((token) => token, { typ: "JWT" }),
      await forged((token) => token, { kid: "other" }),
      (await forged((token) => token)).replace(/\.[^.]*$/, "."),
      `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString("base64url")}.e30.`,
      "",
      "a.b.c",
    ];
    for (const token of wrong) expect(await new AccessTokens(ring, clock).read(token), token).toBeUndefined();
  });
});

describe("the redirect after a sign-in", () => {
  it.each([
    [undefined, "/"],
    ["/clusters?team=a#top", "/clusters?team=a#top"],
    ["//evil.example", "/"],
    ["/\\evil.example", "/"],
    ["https://evil.example", "/"],
    ["javascript:alert(1)", "/"],
    ["/a\r\nset-cookie: x=y", "/"],
    ["/..//evil.example", "/"],
    ["clusters", "/"],
    [`/${"ä".repeat(400)}`, "/"],
  ])("%s", (wanted, expected) => expect(safeReturnTo(wanted)).toBe(expected));

  it("is never another server", () => {
    const begin = fc.constantFrom(
      "",
      "/",
      "//",
      "/\\",
      "/./",
      "/..//",
      "\\\\",
      "https://",
      "javascript:",
      "/%2f",
      "\t/",
    );
    fc.assert(
      fc.property(begin, fc.string(), (prefix, rest) => {
        const base = "https://butler.example.com";
        expect(new URL(safeReturnTo(prefix + rest), base).origin).toBe(base);
      }),
    );
  });
});

describe("cookies and request origins", () => {
  it("are parsed and serialized", () => {
    expect(cookieText("a", "b", { path: "/", maxAgeSeconds: 5.9, isSecure: true, sameSite: "lax" })).toBe(
      "__Host-a=b; Max-Age=5; Path=/; HttpOnly; Secure; SameSite=Lax",
    );
    expect(cookieText("a", "b", { path: "/x", maxAgeSeconds: 5, isSecure: false, sameSite: "strict" })).toBe(
      "a=b; Max-Age=5; Path=/x; HttpOnly; SameSite=Strict",
    );
    expect([...cookiesOf({ headers: { cookie: "a=1; b=x=y; a=2; ;c" } })]).toEqual([
      ["a", "1"],
      ["b", "x=y"],
    ]);
    expect(bearerOf({ headers: { authorization: "Bearer abc.def" } })).toBe("abc.def");
    expect(bearerOf({ headers: { authorization: "Basic abc" } })).toBeUndefined();
  });

  it.each<[string, boolean, string, string | undefined]>([
    ["__Host-a=own", true, "", "own"],
    ["__Host-a=own; a=planted", false, "https://b.example", "own"],
    // Over TLS, a cookie without the prefix may be from another host of the domain.
    ["a=planted", true, "", undefined],
    ["a=planted", false, "https://b.example", undefined],
    ["a=own", false, "", "own"],
  ])("%s is read (by TLS: %s, at %s): %s", (cookie, isSecure, publicUrl, expected) =>
    expect(ownCookie({ headers: { cookie }, isSecure }, "a", publicUrl)).toBe(expected),
  );

  it.each<[Record<string, string>, string, boolean]>([
    [{}, "https://b.example", true],
    [{ origin: "https://b.example" }, "https://b.example", true],
    [{ origin: "http://b.example" }, "https://b.example", false],
    [{ origin: "https://evil.example" }, "https://b.example", false],
    [{ origin: "null" }, "https://b.example", false],
    [{ "sec-fetch-site": "cross-site" }, "https://b.example", false],
    [{ "sec-fetch-site": "same-site" }, "https://b.example", false],
    [{ "sec-fetch-site": "same-origin", origin: "https://b.example" }, "https://b.example", true],
    [{ origin: "http://127.0.0.1:1", host: "127.0.0.1:1" }, "", true],
    [{ origin: "http://127.0.0.1:2", host: "127.0.0.1:1" }, "", false],
  ])("%o at %s: %s", (headers, publicUrl, expected) => expect(isSameOrigin({ headers }, publicUrl)).toBe(expected));
});
