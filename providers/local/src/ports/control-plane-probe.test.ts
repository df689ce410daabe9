import { createServer, type Server } from "node:net";
import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { probeControlPlane } from "./control-plane-probe.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function endpointOf(server: Server): Promise<{ host: string; port: number }> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { host: "127.0.0.1", port: (server.address() as AddressInfo).port };
}

const never = new AbortController().signal;

describe("probing a control plane", () => {
  it("reports a refused connection as not ready", async () => {
    const server = createServer();
    const endpoint = await endpointOf(server);
    await new Promise((resolve) => server.close(resolve));
    const message = `connect ECONNREFUSED 127.0.0.1:${endpoint.port}`;
    expect(await probeControlPlane(endpoint, never)).toEqual({ isReady: false, message });
  });

  it("times out quickly without a response", async () => {
    const endpoint = await endpointOf(createServer((socket) => socket.on("error", () => undefined)));
    const startedAtMs = performance.now();
    const answer = await probeControlPlane(endpoint, never);
    expect(answer).toEqual({ isReady: false, message: "no response within 1000 ms" });
    expect(performance.now() - startedAtMs).toBeLessThan(3_000);
  });

  it("reports a server without TLS as not ready", async () => {
    const endpoint = await endpointOf(createHttpServer((_request, response) => response.end()));
    expect(await probeControlPlane(endpoint, never)).toMatchObject({ isReady: false });
  });

  it("reports a name that does not resolve as not ready", async () => {
    const answer = await probeControlPlane({ host: "control-plane.invalid", port: 6443 }, never);
    expect(answer).toMatchObject({ isReady: false });
  });

  it("stops when the signal aborts", async () => {
    const endpoint = await endpointOf(createServer((socket) => socket.on("error", () => undefined)));
    await expect(probeControlPlane(endpoint, AbortSignal.timeout(20))).rejects.toThrow();
  });
});
