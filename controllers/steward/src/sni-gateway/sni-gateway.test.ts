import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import type { Socket } from "node:net";
import { eventually, FakeClock } from "@butler/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aClaim, echoAfter, helloFor, nowhere, startGateway } from "./testing/gateway-harness.ts";
import { ended, isEchoed, pause, receive, receiveAll } from "./testing/sockets.ts";

const echo = echoAfter(helloFor("blue.example.com"));

describe("a connection through the gateway", () => {
  it("forwards every byte unchanged, in both directions, however it is split", async () => {
    const harness = await startGateway();
    harness.route(aClaim("blue", await harness.tenant(echo)));
    const chunks = fc.array(fc.uint8Array({ minLength: 1, maxLength: 3_000 }), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(chunks, fc.nat(600), async (parts, cut) => {
        const socket = await harness.connect();
        const hello = helloFor("blue.example.com");
        socket.write(hello.subarray(0, cut));
        // What follows may come in the same packet as the end of the ClientHello.
        socket.write(Buffer.concat([hello.subarray(cut), ...parts.slice(0, 1)]));
        for (const part of parts.slice(1)) socket.write(part);
        socket.end();
        expect((await receiveAll(socket)).equals(Buffer.concat(parts))).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  it("stays open in one direction when the other has ended", async () => {
    const harness = await startGateway();
    const answer = randomBytes(3_000_000);
    const heard: Buffer[] = [];
    const upstream = await harness.tenant((socket) => {
      socket.on("data", (chunk: Buffer) => heard.push(chunk));
      socket.on("end", () => socket.end(answer));
    });
    harness.route(aClaim("blue", upstream));
    const socket = await harness.ask("blue.example.com");
    socket.end("that is all");
    expect((await receiveAll(socket)).equals(answer)).toBe(true);
    expect(Buffer.concat(heard).toString("latin1")).toMatch(/that is all$/);
    await eventually(async () => (await harness.openOf("blue")) === 0);
  });

  it("stays open when the tenant ends its side first", async () => {
    const harness = await startGateway();
    const heard = Promise.withResolvers<Buffer>();
    const upstream = await harness.tenant((socket) => {
      socket.end("goodbye");
      void receiveAll(socket).then(heard.resolve);
    });
    harness.route(aClaim("blue", upstream));
    const socket = await harness.ask("blue.example.com");
    expect((await receiveAll(socket)).toString()).toBe("goodbye");
    const question = randomBytes(3_000_000);
    socket.end(question);
    const hello = helloFor("blue.example.com");
    expect((await heard.promise).subarray(hello.length).equals(question)).toBe(true);
  });

  it("applies back-pressure when a tenant does not read", async () => {
    const harness = await startGateway();
    const accepted = Promise.withResolvers<Socket>();
    harness.route(aClaim("blue", await harness.tenant((socket) => accepted.resolve(socket.pause()))));
    const socket = await harness.ask("blue.example.com");
    const tenantSide = await accepted.promise;
    const sent = createHash("sha256").update(helloFor("blue.example.com"));
    const block = randomBytes(1 << 20);
    const rssBefore = process.memoryUsage().arrayBuffers;
    let blocks = 0;
    // Until the kernel's and our own buffers are full: then nothing drains.
    for (let isFull = false; !isFull && blocks < 200; blocks++) {
      sent.update(block);
      if (socket.write(block)) continue;
      isFull = await Promise.race([once(socket, "drain").then(() => false), pause(300).then(() => true)]);
    }
    expect(blocks).toBeLessThan(64);
    expect(process.memoryUsage().arrayBuffers - rssBefore).toBeLessThan(16 << 20);
    const heard = createHash("sha256");
    tenantSide.on("data", (chunk: Buffer) => heard.update(chunk)).resume();
    socket.end();
    await once(tenantSide, "end");
    expect(heard.digest("hex")).toBe(sent.digest("hex"));
  });

  it.each(["client", "tenant"] as const)("is reset when the %s resets it", async (who) => {
    const harness = await startGateway();
    const accepted = Promise.withResolvers<Socket>();
    harness.route(aClaim("blue", await harness.tenant((socket) => accepted.resolve(socket.resume()))));
    const socket = await harness.ask("blue.example.com");
    const tenantSide = await accepted.promise;
    const [broken, other] = who === "client" ? [socket, tenantSide] : [tenantSide, socket];
    broken.resetAndDestroy();
    await ended(other);
    await eventually(async () => (await harness.openOf("blue")) === 0);
  });

  it("is counted with its bytes", async () => {
    const harness = await startGateway();
    harness.route(aClaim("blue", await harness.tenant(echo)));
    const socket = await harness.ask("blue.example.com");
    expect(await isEchoed(socket, "12345")).toBe(true);
    socket.end();
    await receiveAll(socket);
    await eventually(async () => (await harness.openOf("blue")) === 0);
    const bytes = (direction: string) =>
      harness.metrics.value("butler_sni_gateway_bytes_total", { name: "blue", direction });
    expect(await bytes("in")).toBe(helloFor("blue.example.com").length + 5);
    expect(await bytes("out")).toBe(5);
    expect(await harness.metrics.value("butler_sni_gateway_connections_total")).toBe(1);
    expect(await harness.metrics.value("butler_sni_gateway_connect_duration_seconds")).toBe(1);
  });

  it("is counted while it stays open, too", async () => {
    const clock = new FakeClock();
    const harness = await startGateway({ clock });
    harness.route(aClaim("blue", await harness.tenant(echo)));
    const socket = await harness.ask("blue.example.com");
    const out = () => harness.metrics.value("butler_sni_gateway_bytes_total", { name: "blue", direction: "out" });
    for (const text of ["12345", "678"]) {
      const before = await out();
      expect(await isEchoed(socket, text)).toBe(true);
      expect(await out()).toBe(before);
      clock.advance(5_000);
      expect(await out()).toBe(before + text.length);
    }
    socket.destroy();
  });

  it("starts with a PROXY header when that is enabled", async () => {
    const harness = await startGateway({ proxyProtocol: true });
    const heard = Promise.withResolvers<Buffer>();
    harness.route(aClaim("blue", await harness.tenant((socket) => void receive(socket, 28).then(heard.resolve))));
    const socket = await harness.ask("blue.example.com");
    const header = (await heard.promise).subarray(0, 28);
    expect(header.subarray(0, 16).toString("hex")).toBe("0d0a0d0a000d0a515549540a2111000c");
    expect(header.subarray(16, 24).toString("hex")).toBe("7f0000017f000001");
    expect([header.readUInt16BE(24), header.readUInt16BE(26)]).toEqual([socket.localPort, harness.port]);
  });
});

describe("a change of routes", () => {
  it("routes new connections to the new target and leaves open ones alone", async () => {
    const harness = await startGateway();
    const first = await harness.tenant(echo);
    const second = await harness.tenant((socket) => socket.end("second"));
    harness.route(aClaim("blue", first));
    const open = await harness.ask("blue.example.com");
    expect(await isEchoed(open)).toBe(true);

    harness.route(aClaim("blue", second));
    expect((await receiveAll(await harness.ask("blue.example.com"))).toString()).toBe("second");
    expect(await isEchoed(open)).toBe(true);

    harness.route(aClaim("blue", undefined));
    expect(await isEchoed(open)).toBe(true);

    harness.route({ ...aClaim("blue", first), hostname: undefined });
    await ended(await harness.ask("blue.example.com"));
    expect(await isEchoed(open)).toBe(true);
  });

  it("closes the connections of a deleted tenant and drops its series, and no others", async () => {
    const harness = await startGateway();
    const upstream = await harness.tenant(echo);
    harness.route(aClaim("blue", upstream), aClaim("azul", upstream));
    const [doomed, dialing, kept] = await Promise.all([
      harness.ask("blue.example.com"),
      harness.ask("blue.example.com"),
      harness.ask("azul.example.com"),
    ]);
    expect(await isEchoed(doomed)).toBe(true);
    expect(await isEchoed(kept)).toBe(true);

    harness.route(aClaim("azul", upstream));
    await Promise.all([ended(doomed), ended(dialing)]);
    expect(await isEchoed(kept)).toBe(true);
    await ended(await harness.ask("blue.example.com"));
    expect(await harness.refusals("unknown-server-name")).toBe(1);
    const text = await harness.metrics.text();
    expect(text).not.toContain('name="blue"');
    expect(text).toContain('name="azul"');
    expect(await harness.metrics.value("butler_sni_gateway_ended_total", { reason: "tenant-deleted" })).toBe(2);
  });

  it("counts the active routes", async () => {
    const harness = await startGateway();
    harness.route(aClaim("blue", nowhere), aClaim("red", undefined), aClaim("green", nowhere, "blue.example.com"));
    const routes = (state: string) => harness.metrics.value("butler_sni_gateway_routes", { state });
    expect([await routes("active"), await routes("waiting"), await routes("conflicting")]).toEqual([1, 1, 1]);
  });
});

describe("a gateway that stops", () => {
  it("drains open connections, and then closes them", async () => {
    const harness = await startGateway({ limits: { drainMs: 1_500 } });
    harness.route(aClaim("blue", await harness.tenant(echo)));
    const [open, silent] = [await harness.ask("blue.example.com"), await harness.connect()];
    expect(await isEchoed(open)).toBe(true);
    const startedAt = performance.now();
    const stopped = harness.gateway.stop();
    await ended(silent);
    expect(await harness.refusals("stopping")).toBe(1);
    expect(await isEchoed(open)).toBe(true);
    await expect(harness.connect()).rejects.toThrow("ECONNREFUSED");
    await Promise.all([ended(open), stopped]);
    expect(performance.now() - startedAt).toBeGreaterThan(1_490);
    expect(await harness.metrics.value("butler_sni_gateway_ended_total", { reason: "drained" })).toBe(1);
  });

  it("does not wait once the last connection is closed", async () => {
    const harness = await startGateway({ limits: { drainMs: 60_000 } });
    harness.route(aClaim("blue", await harness.tenant(echo)));
    const open = await harness.ask("blue.example.com");
    expect(await isEchoed(open)).toBe(true);
    const stopped = harness.gateway.stop();
    open.end();
    await stopped;
    expect(await harness.metrics.value("butler_sni_gateway_ended_total", { reason: "drained" })).toBe(0);
  });

  it("reports the port that it cannot listen on", async () => {
    const [harness, other] = [await startGateway(), await startGateway()];
    await other.gateway.stop();
    await expect(other.gateway.listen(harness.port, "127.0.0.1")).rejects.toThrow(
      `cannot listen on port ${harness.port}`,
    );
  });
});
