import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { KubeConfig } from "@kubernetes/client-node";
import { MetricsRegistry } from "@butler/telemetry";
import { afterEach, describe, expect, it } from "vitest";
import { useServer } from "../testing/served.ts";
import { connect, type ConnectedClient } from "./connect.ts";
import type { TransportOptions } from "./transport.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const server = useServer();
let connected: ConnectedClient | undefined;

afterEach(() => connected?.close());

/** A server that returns the given responses in order, the last one repeatedly, and a client for it. */
async function serving(answers: readonly Answer[], options: TransportOptions = {}) {
  const requests: IncomingMessage[] = [];
  const url = await server.serve((request, response) => {
    const answer = answers[Math.min(requests.length, answers.length - 1)];
    requests.push(request);
    answer?.(request, response);
  });
  const config = new KubeConfig();
  config.loadFromClusterAndUser({ name: "c", server: url, skipTLSVerify: true }, { name: "u", token: "secret-token" });
  connected = connect(config, options);
  return { transport: connected.transport, requests };
}

const get = { method: "GET", path: "/api", action: "get things" } as const;

const status =
  (code: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    response.writeHead(code, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));

const ok = status(200, { fine: true });

describe("Transport", () => {
  it("sends credentials, a user agent and a body, and reads JSON", async () => {
    const { transport, requests } = await serving([ok], { userAgent: "butler-test" });
    expect(await transport.json({ ...get, method: "POST", body: { a: 1 } })).toEqual({ fine: true });
    expect(requests[0]?.headers).toMatchObject({
      authorization: "Bearer secret-token",
      "user-agent": "butler-test",
      "content-type": "application/json",
    });
  });

  it("retries after the Retry-After time, and counts it", async () => {
    const metrics = new MetricsRegistry();
    const tooMany = status(429, { message: "slow down" }, { "retry-after": "0.05" });
    const { transport, requests } = await serving([tooMany, tooMany, ok], { metrics });
    const startedAt = performance.now();
    expect(await transport.json(get)).toEqual({ fine: true });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(95);
    expect(requests).toHaveLength(3);
    expect(await metrics.value("butler_api_throttled_total")).toBe(2);
  });

  it("retries a request that a server rejected during shutdown", async () => {
    const ending = status(503, { message: "apiserver is shutting down" }, { "retry-after": "0" });
    const { transport, requests } = await serving([ending, ok]);
    expect(await transport.json({ ...get, method: "POST", body: {} })).toEqual({ fine: true });
    expect(requests).toHaveLength(2);
  });

  it("gives up on a server that always asks to retry, with a typed error", async () => {
    const tooMany = status(429, { message: "slow down" }, { "retry-after": "0" });
    const { transport, requests } = await serving([tooMany], { throttleRetries: 2 });
    await expect(transport.json(get)).rejects.toMatchObject({ code: "THROTTLED", message: "get things: slow down" });
    expect(requests).toHaveLength(3);
  });

  it("retries exactly once when the credentials were rejected", async () => {
    const { transport, requests } = await serving([status(401, { message: "who?" })]);
    await expect(transport.json(get)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
    expect(requests).toHaveLength(2);
  });

  it.each([
    [403, {}, "FORBIDDEN"],
    [404, {}, "NOT_FOUND"],
    [409, { reason: "Conflict" }, "CONFLICT"],
    [409, { reason: "AlreadyExists" }, "ALREADY_EXISTS"],
    [410, {}, "GONE"],
    [422, { message: "spec.cidr: must be a CIDR" }, "INVALID_INPUT"],
    [500, {}, "UNAVAILABLE"],
    [503, {}, "UNAVAILABLE"],
  ])("turns HTTP %i %j into %s without a retry", async (code, body, expected) => {
    const { transport, requests } = await serving([status(code, body)]);
    await expect(transport.json(get)).rejects.toMatchObject({ code: expected });
    expect(requests).toHaveLength(1);
  });

  it("reports a timeout", async () => {
    const { transport } = await serving([() => undefined], { requestTimeoutMs: 60 });
    await expect(transport.json(get)).rejects.toMatchObject({
      code: "TIMEOUT",
      message: expect.stringContaining("60 ms"),
    });
  });

  it.each<[string, Answer]>([
    ["is not JSON", (_request, response) => response.end("<html>")],
    ["is damaged inside a text", (_request, response) => response.end(Buffer.from([0x22, 0x61, 0xff, 0x22]))],
    [
      "is truncated",
      (_request, response) => response.writeHead(200, { "content-length": "99" }).write("{", () => response.destroy()),
    ],
  ])("rejects a response that %s", async (_what, answer) => {
    const { transport } = await serving([answer]);
    await expect(transport.json(get)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });

  it("ends with the caller's own reason when the caller aborts", async () => {
    const { transport } = await serving([() => undefined]);
    const giving = new AbortController();
    const call = transport.json({ ...get, signal: giving.signal });
    giving.abort(new Error("changed my mind"));
    await expect(call).rejects.toThrow("changed my mind");
  });

  it("ends a stream with the caller's signal, long after it was opened", async () => {
    const { transport } = await serving([(_request, response) => response.writeHead(200).write("first\n")], {
      requestTimeoutMs: 500,
    });
    const giving = new AbortController();
    const { body } = await transport.stream({ ...get, signal: giving.signal });
    expect(String((await once(body, "data"))[0])).toBe("first\n");
    const closed = new Promise((resolve) => body.once("close", resolve));
    giving.abort();
    await closed;
  });

  it("reports the connection failure when the port is closed", async () => {
    const { transport } = await serving([ok]);
    server.running.close();
    server.running.closeAllConnections();
    await once(server.running, "close");
    await expect(transport.json(get)).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringContaining("ECONNREFUSED"),
    });
  });
});
