import { ProblemAnswer, type LiveSubscription } from "@butler/contract";
import { Unavailable } from "@butler/std";
import { QueryClient } from "@tanstack/react-query";
import { eventually } from "@butler/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { calmer } from "./calm-connection.ts";
import { readCookie, readCsrfToken } from "./cookie.ts";
import { errorFacts, fieldErrors, isSignedOut } from "./error-facts.ts";
import { liveKey, LiveStore } from "./live-store.ts";
import { isWorthRetrying } from "./query-client.ts";
import { ownPath, textParam, wordParam } from "./search-params.ts";
import { sessionFetch } from "./session-fetch.ts";

const problem = (code: "REFUSED" | "UNAUTHENTICATED" | "UNAVAILABLE", status: number) =>
  new ProblemAnswer({
    type: "",
    title: "",
    status,
    code,
    detail: "team payments: 5 of 5 clusters",
    hint: "Free some.",
    errors: [
      { field: "spec.workers.replicas", reason: "QUOTA", message: "too many" },
      { field: "", reason: "QUOTA", message: "the whole" },
    ],
    requestId: "r1",
  });

/** A browser with an access token that is expired until the first refresh. */
function setUp({ refreshes = true } = {}) {
  const sent: string[] = [];
  const state = { isFresh: false, refreshedAt: 0, nowMs: 1_000 };
  const send = (input: unknown, init: RequestInit = {}): Promise<Response> => {
    const path = String(input);
    sent.push(`${init.method ?? "GET"} ${path} ${new Headers(init.headers).get("x-butler-csrf") ?? "-"}`);
    state.nowMs += 10;
    if (path === "/api/auth/refresh") {
      state.isFresh = refreshes;
      return Promise.resolve(new Response("{}", { status: refreshes ? 200 : 401 }));
    }
    return Promise.resolve(new Response("{}", { status: state.isFresh ? 200 : 401 }));
  };
  const options = {
    fetch: send as typeof fetch,
    csrfToken: () => "token",
    exclusively: <T>(work: () => Promise<T>) => work(),
    refreshedAt: { get: () => state.refreshedAt, set: (ms: number) => void (state.refreshedAt = ms) },
    now: () => state.nowMs,
  };
  return { sent, state, call: sessionFetch(options) };
}

describe("sessionFetch", () => {
  it("refreshes once for concurrent 401 responses, and retries the requests", async () => {
    const { sent, call } = setUp();
    const answers = await Promise.all(["/api/a", "/api/b", "/api/c"].map((path) => call(path)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(sent.filter((line) => line.includes("refresh"))).toEqual(["POST /api/auth/refresh token"]);
    expect(sent).toHaveLength(7);
  });

  it("returns the 401 when the refresh fails, without retrying forever", async () => {
    const { sent, call } = setUp({ refreshes: false });
    expect((await call("/api/a")).status).toBe(401);
    expect(sent).toEqual(["GET /api/a -", "POST /api/auth/refresh token"]);
  });

  it("does not refresh when another tab just did", async () => {
    const { sent, state, call } = setUp();
    const answer = call("/api/a");
    state.refreshedAt = 5_000;
    state.isFresh = true;
    expect((await answer).status).toBe(200);
    expect(sent.some((line) => line.includes("refresh"))).toBe(false);
  });

  it("sends the CSRF token on writes only, and does not refresh on a wrong password", async () => {
    const { sent, call } = setUp();
    expect((await call("/api/auth/login", { method: "POST" })).status).toBe(401);
    expect(sent).toEqual(["POST /api/auth/login token"]);
  });
});

describe("LiveStore", () => {
  function followed() {
    const subscriptions: LiveSubscription[] = [];
    const life = { stopped: 0 };
    const live = {
      connection: "connected" as const,
      onConnection: () => () => undefined,
      close: () => undefined,
      subscribe: (subscription: LiveSubscription) => {
        subscriptions.push(subscription);
        return () => void life.stopped++;
      },
    };
    const queries = new QueryClient();
    return { subscriptions, life, queries, store: new LiveStore(live, queries, { lingerMs: 1 }) };
  }

  it("shares one subscription, feeds the cache, and unsubscribes after the last user", async () => {
    const { subscriptions, life, queries, store } = followed();
    const stops = [store.follow("clusters", { team: "a" }), store.follow("clusters", { team: "a" })];
    store.follow("clusters", { team: "b" });
    expect(subscriptions).toHaveLength(2);
    for (let count = 1; count <= 20; count++) subscriptions[0]?.onState(new Map([["x", { count }]]));
    const key = liveKey("clusters", { team: "a" });
    // The first snapshot is written immediately; later ones are batched.
    expect(queries.getQueryData(key)).toEqual({ items: [{ count: 1 }] });
    let puts = 0;
    queries.getQueryCache().subscribe(({ type }) => (puts += type === "updated" ? 1 : 0));
    await eventually(() => puts > 0);
    expect([puts, queries.getQueryData(key)]).toEqual([1, { items: [{ count: 20 }] }]);
    stops[0]?.();
    stops[0]?.();
    stops[1]?.();
    await eventually(() => life.stopped === 1);
  });

  it("keeps known items when the server rejects the subscription", () => {
    const { subscriptions, queries, store } = followed();
    store.follow("nodes", { namespace: "a", cluster: "b" });
    const key = liveKey("nodes", { namespace: "a", cluster: "b" });
    queries.setQueryData(key, { items: [1] });
    subscriptions[0]?.onError?.("FORBIDDEN", "no");
    expect(queries.getQueryData(key)).toEqual({ items: [1], error: { code: "FORBIDDEN", message: "no" } });
  });

  it("shows the connection as waiting until it is restored", () => {
    expect(calmer("connected", "waiting")).toBe("waiting");
    expect(calmer("waiting", "connecting")).toBe("waiting");
    expect(calmer("waiting", "connected")).toBe("connected");
    expect(calmer("connecting", "refused")).toBe("refused");
  });
});

describe("errors", () => {
  it("are shown with the server's message", () => {
    expect(errorFacts(problem("REFUSED", 422))).toEqual({
      title: "Rejected by platform rules",
      detail: "team payments: 5 of 5 clusters",
      code: "REFUSED",
      hint: "Free some.",
      requestId: "r1",
    });
    expect(errorFacts(new TypeError("Failed to fetch")).code).toBe("OFFLINE");
    expect(errorFacts(new Unavailable("the proxy answered 502")).detail).toContain("502");
    expect(errorFacts(new Error("x is not a function")).code).toBe("PAGE_FAILED");
    expect(errorFacts("odd").detail).toBe("odd");
  });

  it("are mapped to fields, and retried only if transient", () => {
    expect(fieldErrors(problem("REFUSED", 422))).toEqual({ "spec.workers.replicas": "too many" });
    expect(fieldErrors(new Error("x"))).toEqual({});
    expect(isSignedOut(problem("UNAUTHENTICATED", 401))).toBe(true);
    expect(isWorthRetrying(0, problem("REFUSED", 422))).toBe(false);
    expect(isWorthRetrying(0, problem("UNAVAILABLE", 503))).toBe(true);
    expect(isWorthRetrying(2, problem("UNAVAILABLE", 503))).toBe(false);
  });
});

describe("URLs and cookies", () => {
  it("accepts only paths of this console as return path", () => {
    expect(ownPath("/t/payments/clusters?q=a")).toBe("/t/payments/clusters?q=a");
    for (const bad of [
      undefined,
      "",
      "https://evil.example",
      "//evil.example",
      "/\\evil.example",
      "/api/auth/logout",
    ]) {
      expect(ownPath(bad)).toBe("/");
    }
    fc.assert(
      fc.property(fc.string(), (rest) => {
        for (const start of ["https://", "//", "javascript:", "/\\"]) expect(ownPath(start + rest)).toBe("/");
      }),
    );
  });

  it("accepts arbitrary parameter values", () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const { q } = textParam({ q: value }, "q");
        expect(q === undefined || typeof q === "string").toBe(true);
        const { view } = wordParam({ view: value }, "view", ["a", "b"]);
        expect([undefined, "a", "b"]).toContain(view);
      }),
    );
    expect(textParam({ q: 34 }, "q")).toEqual({ q: "34" });
  });

  it("finds a cookie by its full name", () => {
    expect(readCookie("butler_csrf", "x_butler_csrf=1; butler_csrf=a=b; other=2")).toBe("a=b");
    expect(readCookie("butler_csrf", "")).toBeUndefined();
    expect(readCsrfToken("butler_csrf=a")).toBe("a");
    expect(readCsrfToken("butler_csrf=planted; __Host-butler_csrf=own")).toBe("own");
    expect(readCsrfToken("")).toBeUndefined();
  });
});
