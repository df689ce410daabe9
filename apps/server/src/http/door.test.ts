import { request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { getVersion, problem } from "@butler/contract";
import { systemClock } from "@butler/std";
import { MetricsRegistry, silentLogger } from "@butler/telemetry";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildApp } from "./app.ts";
import type { PipelineParts } from "./pipeline.ts";

let app: FastifyInstance;
let port: number;

beforeAll(async () => {
  const unlimited = { burst: 1e6, perSecond: 1e6 };
  app = buildApp({
    // A public route without requirements.
    parts: { clock: systemClock, logger: silentLogger, requestTimeoutMs: 5_000 } as PipelineParts,
    handlers: [{ route: getVersion, run: () => Promise.resolve({ version: "1", api: "v1" }) }],
    metrics: new MetricsRegistry(),
    clock: systemClock,
    trustedProxies: [],
    rateLimits: { normal: unlimited, strict: unlimited },
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  port = (app.server.address() as AddressInfo).port;
});

afterAll(() => app?.close());

async function ask(method: string, path: string) {
  return new Promise<{ status: number | undefined; allow: string | undefined; body: string }>((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, method, path, agent: false }, (answer) => {
      text(answer).then(
        (body) => resolve({ status: answer.statusCode, allow: answer.headers.allow, body }),
        (error: unknown) => reject(error as Error),
      );
    });
    sent.on("error", reject).end();
  });
}

/** The server's response to bytes that are not a request. */
async function say(bytes: string): Promise<{ head: string; body: string }> {
  const socket = connect(port, "127.0.0.1");
  socket.write(bytes);
  const [head = "", body = ""] = (await text(socket)).split("\r\n\r\n");
  return { head, body };
}

describe("an unsupported method", () => {
  it.each(["POST", "DELETE", "TRACE", "QUERY", "OPTIONS", "PROPFIND"])(
    "%s returns METHOD_NOT_ALLOWED",
    async (method) => {
      const { status, allow, body } = await ask(method, getVersion.path);
      expect([status, allow]).toEqual([405, "GET"]);
      expect(problem.parse(JSON.parse(body)).code).toBe("METHOD_NOT_ALLOWED");
    },
  );

  it("does not affect supported methods", async () => {
    expect((await ask("GET", getVersion.path)).status).toBe(200);
    expect((await ask("HEAD", getVersion.path)).status).toBe(200);
    expect((await ask("TRACE", "/nowhere")).status).toBe(404);
  });
});

describe("a malformed request", () => {
  it.each([
    ["has a URL that is too long", `GET /?${"a".repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, 431, "HEADERS_TOO_LARGE"],
    ["has too many headers", `GET / HTTP/1.1\r\nhost: x\r\nx: ${"a".repeat(20_000)}\r\n\r\n`, 431, "HEADERS_TOO_LARGE"],
    ["is not HTTP", "hello\r\n\r\n", 400, "INVALID"],
  ])("returns a problem if it %s", async (_what, bytes, status, code) => {
    const { head, body } = await say(bytes);
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head).toContain("content-type: application/problem+json");
    expect(problem.parse(JSON.parse(body))).toMatchObject({ status, code });
    expect(head).toContain(`x-request-id: ${problem.parse(JSON.parse(body)).requestId}`);
  });
});
