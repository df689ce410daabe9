import type { Socket } from "node:net";
import { eventually } from "@butler/testkit";
import { describe, expect, it } from "vitest";
import { blockedServer } from "./testing/blocked-server.ts";
import { aClaim, echoAfter, type GatewayHarness, helloFor, nowhere, startGateway } from "./testing/gateway-harness.ts";
import { ended, isEchoed, pause, receive, receiveAll } from "./testing/sockets.ts";

const echo = echoAfter(helloFor("blue.example.com"));

async function askAndSay(harness: GatewayHarness, name: string, text: string): Promise<Socket> {
  const socket = await harness.ask(name);
  // One byte more than the other name's ClientHello, so that the echo begins.
  socket.write(text.repeat(8));
  return socket;
}

describe("the gateway refuses", () => {
  it("a client that sends its ClientHello too slowly", async () => {
    const harness = await startGateway({ limits: { helloTimeoutMs: 300 } });
    harness.route(aClaim("blue", await harness.tenant(echo)));
    const socket = await harness.connect();
    const hello = helloFor("blue.example.com");
    // One byte at a time: each shows activity, and none extends the timeout.
    let sent = 0;
    const trickle = setInterval(() => socket.write(hello.subarray(sent, ++sent)), 20);
    try {
      await ended(socket);
    } finally {
      clearInterval(trickle);
    }
    expect(sent).toBeGreaterThan(3);
    expect(sent).toBeLessThan(hello.length);
    expect(await harness.refusals("hello-timeout")).toBe(1);
  });

  it.each<[string, Buffer]>([
    ["not-tls", Buffer.from("GET / HTTP/1.1\r\n\r\n")],
    ["malformed-hello", Buffer.from([22, 3, 1, 0, 0])],
    ["hello-too-long", Buffer.from([22, 3, 1, 0, 4, 1, 1, 0, 0])],
    ["address-as-name", helloFor("192.0.2.1")],
    ["unknown-server-name", helloFor("green.example.com")],
  ])("at once what is %s", async (reason, bytes) => {
    const harness = await startGateway();
    harness.route(aClaim("blue", await harness.tenant(echo)));
    const socket = await harness.connect();
    socket.write(bytes);
    await ended(socket);
    expect(await harness.refusals(reason)).toBe(1);
  });

  it("no client that disconnects before sending anything, but counts it", async () => {
    const harness = await startGateway();
    (await harness.connect()).end();
    await eventually(async () => (await harness.refusals("closed-early")) === 1);
  });

  it("quickly a client of a tenant that is down", async () => {
    const harness = await startGateway();
    harness.route(aClaim("blue", nowhere), aClaim("red", undefined));
    const startedAt = performance.now();
    const socket = await harness.ask("blue.example.com");
    expect((await receiveAll(socket)).length).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(2_500);
    expect(await harness.refusals("connect-failed")).toBe(1);
    await ended(await harness.ask("red.example.com"));
    expect(await harness.refusals("no-upstream")).toBe(1);
    await eventually(async () => (await harness.openOf("blue")) === 0);
  });

  it.runIf(process.platform === "linux")("a client of a tenant that does not answer, after the timeout", async () => {
    const harness = await startGateway({ limits: { connectTimeoutMs: 300 } });
    const silent = await blockedServer();
    try {
      harness.route(aClaim("blue", silent.address));
      const startedAt = performance.now();
      await ended(await harness.ask("blue.example.com"));
      expect(performance.now() - startedAt).toBeGreaterThan(290);
      expect(performance.now() - startedAt).toBeLessThan(10_000);
      expect(await harness.refusals("connect-timeout")).toBe(1);
    } finally {
      silent.stop();
    }
  });

  it("connections above its limit, and accepts others once some are closed", async () => {
    const harness = await startGateway({ limits: { connections: 3 } });
    harness.route(aClaim("blue", await harness.tenant(echo)));
    const held = await Promise.all([1, 2, 3].map(() => harness.ask("blue.example.com")));
    for (const socket of held) expect(await isEchoed(socket)).toBe(true);
    await ended(await harness.ask("blue.example.com"));
    expect(await harness.refusals("connection-limit")).toBe(1);
    held[0]?.destroy();
    await eventually(async () => isEchoed(await harness.ask("blue.example.com")));
  });

  it("connections of one tenant above its limit, and none of other tenants", async () => {
    const harness = await startGateway({ limits: { connectionsPerTenant: 2 } });
    const upstream = await harness.tenant(echo);
    harness.route(aClaim("blue", upstream), aClaim("red", upstream));
    for (const socket of await Promise.all([1, 2].map(() => harness.ask("blue.example.com")))) {
      expect(await isEchoed(socket)).toBe(true);
    }
    await ended(await harness.ask("blue.example.com"));
    expect(await harness.refusals("tenant-limit")).toBe(1);
    expect((await receive(await askAndSay(harness, "red.example.com", "x"), 1)).length).toBeGreaterThan(0);
  });

  it("the oldest waiting clients when too many send nothing", async () => {
    const harness = await startGateway({ limits: { waiting: 10 } });
    harness.route(aClaim("blue", await harness.tenant(echo)));
    const silent: Socket[] = [];
    for (let at = 0; at < 15; at++) silent.push(await harness.connect());
    await Promise.all(silent.slice(0, 5).map(ended));
    expect(await harness.refusals("waiting-limit")).toBe(5);
    // A client that sends its ClientHello is served, however many send nothing.
    expect(await isEchoed(await harness.ask("blue.example.com"))).toBe(true);
    expect(silent.slice(6).every((socket) => !socket.closed)).toBe(true);
  });

  it("idle connections when an idle timeout is set", async () => {
    const harness = await startGateway({ limits: { idleTimeoutMs: 1_000 } });
    harness.route(aClaim("blue", await harness.tenant(echo)));
    const socket = await harness.ask("blue.example.com");
    for (let at = 0; at < 5; at++) {
      expect(await isEchoed(socket)).toBe(true);
      await pause(300);
    }
    await ended(socket);
    expect(await harness.metrics.value("butler_sni_gateway_ended_total", { reason: "idle" })).toBe(1);
  });
});
