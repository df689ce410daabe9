import { setTimeout as pause } from "node:timers/promises";
import { allRoutes, isWrite, pathOf, type Route } from "@butler/contract";
import { type Browser, host, type WholeServer } from "@butler/server/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { people, send, startPlatform, answerOf } from "./lib/platform.ts";
import { sendRaw, upgradeText } from "./lib/raw-http.ts";

let platform: WholeServer;
let ada: Browser;
let root: Browser;

beforeAll(async () => {
  platform = await startPlatform("security-requests");
  ada = await platform.signInAs({ email: people.ada });
  root = await platform.signInAs({ email: people.root });
});

afterAll(() => platform?.stop());

const isAlive = async (): Promise<boolean> => (await fetch(`${platform.url}/healthz`)).status === 200;

/** A value for every path parameter. */
const values: Readonly<Record<string, string>> = {
  namespace: "payments",
  name: "shop",
  team: "payments",
  email: people.vera,
  environment: "dev",
  session: "0".repeat(32),
};

function addressOf(route: Route, given: Readonly<Record<string, string>> = values): string {
  const params = Object.fromEntries(Object.keys(route.params.shape).map((key) => [key, given[key] ?? "some"]));
  return platform.url + pathOf(route, params);
}

const exampleOf = (route: Route): unknown => (route.body?.meta()?.["examples"] as unknown[] | undefined)?.[0];

describe("cross-site requests", () => {
  const unsafe = allRoutes.filter(({ method, permission }) => isWrite(method) && permission.kind !== "public");

  it.each(unsafe.map((route) => [route.id, route] as const))("CSRF: %s", async (_id, route) => {
    const csrf = root.cookie(host, "butler_csrf") ?? "";
    const ofOther = ada.cookie(host, "butler_csrf") ?? "";
    const attempts: Readonly<Record<string, string>>[] = [
      {},
      { "x-butler-csrf": "" },
      { "x-butler-csrf": ofOther },
      { "x-butler-csrf": csrf, origin: "https://evil.example" },
      { "x-butler-csrf": csrf, origin: "null" },
      { "x-butler-csrf": csrf, "sec-fetch-site": "cross-site" },
      { "x-butler-csrf": csrf, "sec-fetch-site": "same-site" },
    ];
    const body = exampleOf(route);
    for (const headers of attempts) {
      const sent = root.send(addressOf(route), {
        method: route.method,
        headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      expect(await answerOf(sent), JSON.stringify(headers)).toMatchObject({ status: 403, code: "CSRF_FAILED" });
    }
  });

  it("CSRF: unauthenticated routes either set no cookie or reject other sites", async () => {
    const open = allRoutes.filter(({ method, permission }) => isWrite(method) && permission.kind === "public");
    // Command lines use no cookies, so a page cannot make a browser send any.
    const withoutCookies = ["device.start", "device.token", "device.refresh", "device.revoke"];
    for (const route of open.filter(({ id }) => !withoutCookies.includes(id))) {
      for (const from of [{ origin: "https://evil.example" }, { "sec-fetch-site": "cross-site" }]) {
        const body = exampleOf(route);
        const sent = root.send(addressOf(route), {
          method: route.method,
          headers: { ...from, "content-type": "application/json" } as Record<string, string>,
          body: JSON.stringify(body ?? {}),
        });
        expect(await answerOf(sent), route.id).toMatchObject({ status: 403, code: "CSRF_FAILED" });
      }
    }
    expect(await send(root, `${platform.url}/api/auth/me`)).toMatchObject({ status: 200 });
  });

  it("CSRF: rejects the content types of forms", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]) {
      const csrf = root.cookie(host, "butler_csrf") ?? "";
      const headers = { "content-type": type, "x-butler-csrf": csrf };
      const sent = root.send(`${platform.url}/api/teams`, { method: "POST", headers, body: '{"name":"forged"}' });
      expect(await answerOf(sent)).toMatchObject({ status: 415 });
    }
  });

  it("CSRF: ignores method overrides on safe methods", async () => {
    for (const name of ["x-http-method-override", "x-method-override", "x-http-method"]) {
      const address = `${platform.url}/api/clusters/payments/shop`;
      const answer = await ada.send(address, { headers: { [name]: "DELETE" } });
      expect(answer.status).toBe(200);
    }
    expect(
      platform.state.clusters.get({ namespace: "payments", name: "shop" })?.metadata.deletionTimestamp,
    ).toBeUndefined();
  });

  it("CORS: no other site can read responses", async () => {
    for (const path of ["/api/auth/me", "/api/clusters", "/api/openapi.json", "/healthz"]) {
      for (const origin of ["https://evil.example", "null", platform.url]) {
        const answer = await root.send(platform.url + path, { headers: { origin } });
        expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
      }
    }
    const preflight = await fetch(`${platform.url}/api/clusters`, {
      method: "OPTIONS",
      headers: { origin: "https://evil.example", "access-control-request-method": "POST" },
    });
    expect(preflight.headers.get("access-control-allow-origin")).toBeNull();
    expect(preflight.status).toBeGreaterThanOrEqual(400);
  });

  it("38: every response forbids type sniffing, framing and scripts", async () => {
    for (const path of ["/api/auth/me", "/api/docs", "/api/nowhere", "/api/openapi.json", "/healthz", "/%00"]) {
      const { headers } = await root.send(platform.url + path);
      expect(headers.get("x-content-type-options"), path).toBe("nosniff");
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain("script-src");
      expect(headers.get("cache-control")).toMatch(/no-store|private, no-cache/);
    }
  });
});

describe("spoofed headers", () => {
  const claims: readonly Readonly<Record<string, string>>[] = [
    { "impersonate-user": people.root },
    { "impersonate-user": people.root, "impersonate-group": "system:masters" },
    { "impersonate-uid": "1", "impersonate-extra-scopes": "all" },
    { "x-remote-user": people.root, "x-remote-group": "system:masters" },
    { "x-butler-user-email": people.root },
    { "x-forwarded-user": people.root, "x-auth-request-email": people.root },
    { "x-ssl-client-verify": "SUCCESS", "x-ssl-client-cn": "system:admin" },
  ];

  it("1: Impersonate-* and similar headers of a client are ignored, signed in or not", async () => {
    for (const headers of claims) {
      const vera = await platform.signInAs({ email: people.vera });
      expect((await answerOf(fetch(`${platform.url}/api/users`, { headers }))).status).toBe(401);
      expect((await answerOf(vera.send(`${platform.url}/api/users`, { headers }))).status).toBe(403);
      const me = await answerOf(vera.send(`${platform.url}/api/auth/me`, { headers }));
      expect(me.body["email"]).toBe(people.vera);
      const csrf = vera.cookie(host, "butler_csrf") ?? "";
      const scale = vera.send(`${platform.url}/api/clusters/payments/shop/scale`, {
        method: "PATCH",
        headers: { ...headers, "x-butler-csrf": csrf, "content-type": "application/json" },
        body: '{"replicas":2}',
      });
      expect((await answerOf(scale)).status).toBe(403);
    }
  });

  it("1: headers named in Connection are neither dropped nor honored", async () => {
    const token = ada.cookie(host, "butler_session") ?? "";
    const lines = [
      "GET /api/users HTTP/1.1",
      "Host: 127.0.0.1",
      `Authorization: Bearer ${token}`,
      `Impersonate-User: ${people.root}`,
      "Connection: close, Authorization, Impersonate-User, Cookie",
      "",
      "",
    ];
    const { answer } = await sendRaw(platform.url, lines.join("\r\n"));
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
  });

  it("1: impersonation in Kubernetes uses only Butler's own objects", async () => {
    const csrf = ada.cookie(host, "butler_csrf") ?? "";
    // The same change as ada, claiming to be another user: it counts as hers.
    const scale = ada.send(`${platform.url}/api/clusters/payments/shop/scale`, {
      method: "PATCH",
      headers: { "impersonate-user": "another@example.com", "x-butler-csrf": csrf, "content-type": "application/json" },
      body: '{"replicas":3}',
    });
    expect((await answerOf(scale)).status).toBe(200);
  });

  it("X-Forwarded-For of an untrusted peer is ignored, and affects no limit", async () => {
    const strict = { burst: 3, perSecond: 0.001 };
    const limited = await platform.startAnother({
      server: { rateLimits: { normal: { burst: 1_000, perSecond: 1_000 }, strict } },
    });
    const attempt = (index: number) =>
      answerOf(
        fetch(`${limited.url}/api/auth/login`, {
          method: "POST",
          headers: {
            "content-type": "application/json",
            "x-forwarded-for": `198.51.100.${index}`,
            "x-real-ip": `198.51.100.${index}`,
            forwarded: `for=198.51.100.${index}`,
          },
          body: JSON.stringify({ email: people.ada, password: "not the password" }),
        }),
      );
    const codes: number[] = [];
    for (let index = 1; index <= 6; index++) codes.push((await attempt(index)).status);
    expect(codes).toEqual([401, 401, 401, 429, 429, 429]);
    expect(limited.auditLines.join("")).not.toContain("198.51.100.");
  });
});

describe("malformed requests", () => {
  const tricks = [
    "/api/clusters/payments%2f..%2fbilling/ledger",
    "/api/clusters/payments/..%2f..%2fbilling%2fledger",
    "/api/clusters/billing%00/ledger",
    "/api/clusters/billing%252f/ledger",
    "/api/clusters/%2e%2e/%2e%2e",
    "/api/clusters/billing%0d%0aX-Injected:1/ledger",
    "/api/teams/%5f%5fproto%5f%5f",
    "/api/teams/constructor",
    "/api/teams/..%5cbilling",
    "/api/clusters/billing;v=1/ledger",
    "/api//clusters/billing/ledger",
    "/api/./clusters/billing/ledger",
    "/API/clusters/billing/ledger",
    "/api/clusters/\u0131billing/ledger",
  ];

  it.each(tricks)("path: %j does not lead anywhere else", async (path) => {
    const { answer } = await sendRaw(
      platform.url,
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nAuthorization: Bearer ${ada.cookie(host, "butler_session") ?? ""}\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 (400|404) /);
    expect(answer).not.toContain("ledger-cilium");
    expect(answer.toLowerCase()).not.toContain("\r\nx-injected");
  });

  it("43: a search string is not a pattern, and complex ones take no longer", async () => {
    for (const search of ["(a+)+$", "[", "(?<x", `${"a".repeat(200)}!`, "\\"]) {
      const began = performance.now();
      const answer = await send(ada, `${platform.url}/api/clusters?search=${encodeURIComponent(search)}`);
      expect([200, 400]).toContain(answer.status);
      expect(performance.now() - began).toBeLessThan(1_000);
    }
  });

  it("41: bodies that are too large, too deep or malicious are rejected before authentication", async () => {
    const post = (body: string, headers: Record<string, string> = {}) =>
      answerOf(
        fetch(`${platform.url}/api/auth/login`, {
          method: "POST",
          headers: { "content-type": "application/json", ...headers },
          body,
        }),
      );
    expect(await post(`{"email":"${"x".repeat(300_000)}"}`)).toMatchObject({ status: 413, code: "BODY_TOO_LARGE" });
    expect(await post(`${"[".repeat(100_000)}${"]".repeat(100_000)}`)).toMatchObject({ status: 400 });
    expect(await post(`{"email":${"[".repeat(60_000)}`)).toMatchObject({ status: 400 });
    expect(await post('{"__proto__":{"isAdmin":true},"email":"a@b.c","password":"x"}')).toMatchObject({ status: 400 });
    const viaConstructor = '{"constructor":{"prototype":{"polluted":1}},"email":"a@b.c","password":"x"}';
    expect(await post(viaConstructor)).toMatchObject({ status: 400 });
    expect(({} as Record<string, unknown>)["isAdmin"]).toBeUndefined();
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect(await isAlive()).toBe(true);
  });

  it("41: endless bodies and headers are cut off", async () => {
    const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
    const head =
      "POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
    const { answer } = await sendRaw(platform.url, head + chunk.repeat(8));
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    const { answer: headers } = await sendRaw(
      platform.url,
      `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${"x".repeat(100_000)}\r\n\r\n`,
    );
    expect(headers).toMatch(/^HTTP\/1\.1 431 /);
    expect(await isAlive()).toBe(true);
  });

  it("41: rejects two lengths, or a length with chunks (request smuggling)", async () => {
    const both =
      "POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /api/users HTTP/1.1\r\nHost: x\r\n\r\n";
    expect((await sendRaw(platform.url, both)).answer).toMatch(/^HTTP\/1\.1 400 /);
    const twice = "POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nContent-Length: 5\r\n\r\nhello";
    expect((await sendRaw(platform.url, twice)).answer).toMatch(/^HTTP\/1\.1 400 /);
  });

  it.each(["//", "/\\", "http://", "//[", "/api/terminal/%", "*", "/api/live/%zz"])(
    "41: an upgrade to %j neither crashes the server nor stays open",
    async (target) => {
      const { isEnded, answer } = await sendRaw(platform.url, upgradeText(target));
      expect(isEnded).toBe(true);
      expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
      await pause(50);
      expect(await isAlive()).toBe(true);
    },
  );

  it("41: an upgrade to an unknown path is answered and closed", async () => {
    for (const target of ["/api/other", "/", "/api/terminal/short", "/api/clusters"]) {
      const { isEnded, answer } = await sendRaw(platform.url, upgradeText(target));
      expect(isEnded, target).toBe(true);
      expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    }
  });
});
