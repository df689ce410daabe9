import { AlreadyExists, errorFromResponse } from "@butler/kube";
import { Conflict, NotFound, Timeout, Unauthenticated, Unavailable } from "@butler/std";
import { FakeClock } from "@butler/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { cachedJson, compressed, etagOf, isKnown, Pages } from "./answer.ts";
import { fieldPathsOf, parseJsonBody } from "./json-body.ts";
import { problemOf, RouteProblem } from "./problem.ts";
import { RateLimiter } from "./rate-limit.ts";

describe("parseJsonBody", () => {
  it("parses any JSON up to a maximum depth", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 20 }), (text) => {
        if (!text.includes('"__proto__"')) expect(parseJsonBody(text)).toEqual(JSON.parse(text));
      }),
    );
    const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
    expect(() => parseJsonBody(nested(32))).not.toThrow();
    expect(() => parseJsonBody(nested(33))).toThrow("nested more than 32 levels deep");
    expect(() => parseJsonBody(nested(100_000))).toThrow("nested");
    expect(parseJsonBody(JSON.stringify(`${"[".repeat(50)}\\"`))).toBe(`${"[".repeat(50)}\\"`);
  });

  it.each(["", "{", "nul", '{"a":{"__proto__":{"isAdmin":true}}}'])("rejects %j", (text) => {
    expect(() => parseJsonBody(text)).toThrow("the request body");
  });
});

describe("fieldPathsOf", () => {
  it("returns field names and never their values", () => {
    expect(
      fieldPathsOf({ name: "x", spec: { deep: { er: { still: { more: "secret" } } }, list: ["secret"] } }),
    ).toEqual(["name", "spec.deep.er.still", "spec.list"]);
    expect(fieldPathsOf("secret")).toEqual([]);
    expect(fieldPathsOf(Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`f${at}`, 1])))).toHaveLength(100);
  });
});

describe("RateLimiter", () => {
  it("allows a burst, then a fixed rate, per address", () => {
    const clock = new FakeClock();
    const limiter = new RateLimiter({ burst: 3, perSecond: 2 }, clock);
    const ask = (address = "192.0.2.1") => limiter.secondsToWait(address);
    expect([ask(), ask(), ask(), ask()]).toEqual([undefined, undefined, undefined, 1]);
    expect(ask("192.0.2.2")).toBeUndefined();
    clock.advance(500);
    expect([ask(), ask()]).toEqual([undefined, 1]);
  });

  it("treats the addresses of one IPv6 network as one", () => {
    const limiter = new RateLimiter({ burst: 1, perSecond: 0.1 }, new FakeClock());
    expect(limiter.secondsToWait("2001:db8:1:2::1")).toBeUndefined();
    expect(limiter.secondsToWait("2001:db8:1:2:ffff::7")).toBe(10);
    expect(limiter.secondsToWait("2001:db8:1:3::1")).toBeUndefined();
  });
});

describe("problemOf", () => {
  const refused = (status: number, body: object) =>
    errorFromResponse({
      status,
      retryAfter: undefined,
      body: JSON.stringify(body),
      action: "create tenantclusters payments/x",
    });

  it.each<[string, unknown, object]>([
    [
      "a missing object",
      new NotFound("get teams x: there is none"),
      { code: "NOT_FOUND", status: 404, detail: "there is none" },
    ],
    ["an existing object", new AlreadyExists("create x y: there is one"), { code: "ALREADY_EXISTS", status: 409 }],
    ["a conflict", new Conflict("x"), { code: "CONFLICT", status: 409 }],
    ["a missing sign-in", new Unauthenticated("x"), { code: "UNAUTHENTICATED", status: 401 }],
    [
      "a timeout",
      new Timeout("get https://10.0.0.1 x"),
      { code: "TIMEOUT", status: 504, detail: "the request timed out" },
    ],
    [
      "an unavailable API server",
      new Unavailable("connect 10.0.0.1:6443"),
      { code: "UNAVAILABLE", status: 503, detail: "the Kubernetes API is unavailable" },
    ],
    [
      "an unexpected error",
      new TypeError("secret is not a function"),
      { code: "INTERNAL", status: 500, detail: "internal error; see the server log" },
    ],
    [
      "rejected credentials of the server",
      refused(401, { message: "Unauthorized" }),
      { code: "UNAVAILABLE", status: 503 },
    ],
    [
      "missing permission",
      refused(403, { message: 'User "x" cannot create' }),
      { code: "FORBIDDEN", status: 403, detail: 'User "x" cannot create' },
    ],
    [
      "an account without impersonation permission yet",
      refused(403, { message: 'users "x@example.com" is forbidden: User "s" cannot impersonate resource "users"' }),
      { code: "UNAVAILABLE", status: 503, hint: "Retry in a second." },
    ],
    [
      "an admission denial",
      refused(422, {
        message: 'admission webhook "a" denied the request: too many',
        details: { causes: [{ field: "spec", reason: "QUOTA", message: "too many" }] },
      }),
      { code: "REFUSED", status: 422, field: "spec", reason: "QUOTA", detail: "too many" },
    ],
    [
      "an unknown field",
      refused(400, { message: 'strict decoding error: unknown field "spec.a", unknown field "spec.b"' }),
      {
        code: "INVALID",
        status: 400,
        field: "spec.a",
        reason: "UNKNOWN_FIELD",
        detail: "spec.a: unknown field; spec.b: unknown field",
      },
    ],
  ])("maps %s", (_what, error, expected) => {
    expect(problemOf(error, "r1")).toMatchObject({ ...expected, requestId: "r1" });
  });

  it("returns every invalid field", () => {
    const checked = z.strictObject({ a: z.int(), b: z.object({ c: z.string() }) }).safeParse({ a: "x", b: {}, d: 1 });
    const { errors = [] } = problemOf(checked.error, "r1");
    expect(errors.map(({ field, reason }) => [field, reason])).toEqual([
      ["a", "INVALID_TYPE"],
      ["b.c", "INVALID_TYPE"],
      ["d", "UNKNOWN_FIELD"],
    ]);
    expect(problemOf(new RouteProblem("RATE_LIMITED", "slow down"), "r1")).not.toHaveProperty("field");
  });
});

describe("responses", () => {
  it("are assembled from cached parts", () => {
    let written = 0;
    const pages = new Pages();
    const json = cachedJson((object: { readonly a: number }) => ({ ...object, n: ++written }));
    const object = { a: 1 };
    expect([json(object), json(object)].map(({ bytes }) => bytes.toString())).toEqual([
      '{"a":1,"n":1}',
      '{"a":1,"n":1}',
    ]);
    expect(written).toBe(1);
    const page = pages.page("things", [json(object), json({ a: 2 })], { total: 2 });
    expect(JSON.parse(page.text)).toEqual({
      things: [
        { a: 1, n: 1 },
        { a: 2, n: 2 },
      ],
      total: 2,
    });
    const marks = [
      page,
      pages.page("things", [json(object)], { total: 2 }),
      pages.page("things", [json(object), json({ a: 2 })], { total: 2 }),
    ].map(({ mark }) => mark);
    expect(new Set(marks).size).toBe(3);
    expect(pages.page("things", [json(object)], { total: 2 }).mark).toBe(marks[1]);
  });

  it("are cached while there is room, the most recently used ones longest", async () => {
    const json = cachedJson((object: { readonly text: string }) => object);
    const parts = ["a", "b", "c"].map((letter) => json({ text: letter.repeat(1_000) }));
    const pages = new Pages(2_500);
    const ask = (at: number) => pages.page("things", parts.slice(at, at + 1), { total: 1 });
    const [first, second] = [ask(0), ask(1)];
    expect(await first.packed()).toBe(await ask(0).packed());
    expect(ask(0)).toBe(first);
    ask(2);
    expect([ask(0) === first, ask(1) === second]).toEqual([true, false]);
    expect(ask(1).text).toBe(second.text);
  });

  it("have an ETag, and are compressed when requested and worthwhile", async () => {
    const text = "x".repeat(5_000);
    expect(isKnown(etagOf(text, text), `"other", ${etagOf(text, text)}`)).toBe(true);
    expect(isKnown(etagOf(text, text), etagOf("y", "y"))).toBe(false);
    expect((await compressed(text, { content: text, acceptEncoding: "br, gzip" }))?.length).toBeLessThan(200);
    for (const acceptEncoding of [undefined, "br", "gzip;q=0"])
      expect(await compressed(text, { content: text, acceptEncoding })).toBeUndefined();
    expect(await compressed("short", { content: "short", acceptEncoding: "gzip" })).toBeUndefined();
  });
});
