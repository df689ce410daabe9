// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { beginLive, followEarly, takeLive } from "./early-live.ts";
import { createQueryClient } from "./query-client.ts";

const asked: string[] = [];
let status = 503;
let cookies = "";

beforeEach(() => {
  asked.length = 0;
  status = 503;
  globalThis.fetch = (input) => {
    asked.push(typeof input === "string" ? input : "");
    const code = status === 403 ? "FORBIDDEN" : "UNAVAILABLE";
    const problem = { type: "t", title: "t", code, detail: "d", requestId: "r", status };
    return Promise.resolve(Response.json(problem, { status }));
  };
  vi.spyOn(document, "cookie", "get").mockImplementation(() => cookies);
  cookies = "butler_csrf=x";
});

afterEach(() => vi.restoreAllMocks());

describe("an early connection", () => {
  it("is taken over by the page", () => {
    const queries = createQueryClient();
    beginLive(queries);
    beginLive(queries);
    expect(asked).toEqual(["/api/live/tickets"]);
    const live = takeLive(queries);
    const follow = vi.spyOn(live.store, "follow");
    followEarly(queries, "clusters", { team: "a" });
    expect(follow).toHaveBeenCalledWith("clusters", { team: "a" });
    live.close();
    expect(asked).toHaveLength(1);
  });

  it("is not opened without a session", () => {
    cookies = "";
    const queries = createQueryClient();
    beginLive(queries);
    followEarly(queries, "clusters", {});
    expect(asked).toEqual([]);
  });

  it("is replaced when it was refused or closed", async () => {
    status = 403;
    const queries = createQueryClient();
    beginLive(queries);
    const first = takeLive(queries);
    await vi.waitFor(() => expect(first.connection.current).toBe("refused"));
    const second = takeLive(queries);
    expect(second).not.toBe(first);
    second.close();
    expect(takeLive(queries)).not.toBe(second);
    takeLive(queries).close();
  });
});
