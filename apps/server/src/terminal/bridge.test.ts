import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { systemClock } from "@butler/std";
import { eventually, FakeClock } from "@butler/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { bridge, type BridgeEnd, type BridgeOptions, keepEarly } from "./bridge.ts";

const servers: WebSocketServer[] = [];
const sockets: WebSocket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate();
  for (const server of servers.splice(0)) server.close();
});

/** A server that keeps its first client. */
async function listen(): Promise<{ url: string; client: Promise<WebSocket> }> {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  servers.push(server);
  const client = once(server, "connection").then(([socket]) => socket as WebSocket);
  await once(server, "listening");
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`, client };
}

/** A page, and the exec endpoint of an API server, with the bridge between them. */
async function joined(options: Partial<BridgeOptions> = {}) {
  const [front, back] = [await listen(), await listen()];
  const page = new WebSocket(front.url);
  const browser = await front.client;
  const pod = new WebSocket(back.url);
  sockets.push(page, browser, pod);
  const ended: Promise<BridgeEnd> = bridge({ browser, pod, clock: systemClock, idleMs: 60_000, ...options });
  const exec = await back.client;
  sockets.push(exec);
  await eventually(() => page.readyState === page.OPEN && pod.readyState === pod.OPEN);
  const shown: Buffer[] = [];
  const typed: Buffer[] = [];
  page.on("message", (data) => shown.push(data as Buffer));
  exec.on("message", (data) => typed.push(data as Buffer));
  return { page, browser, pod, exec, ended, shown, typed };
}

type Parts = Awaited<ReturnType<typeof joined>>;

describe("a bridge", () => {
  it("copies bytes unchanged, in both directions", async () => {
    const { page, exec, shown, typed } = await joined();
    const bytes = Buffer.from(Array.from({ length: 256 }, (_none, at) => at));
    page.send(bytes);
    exec.send(Buffer.concat([Buffer.of(1), bytes]));
    await eventually(() => typed.length === 1 && shown.length === 1);
    expect(typed[0]).toEqual(Buffer.concat([Buffer.of(0), bytes]));
    expect(shown[0]).toEqual(bytes);
  });

  it("forwards a resize, and drops every other text message", async () => {
    const { page, typed } = await joined();
    for (const text of ["rm -rf /", "{}", '{"type":"resize","columns":0,"rows":5}', '{"type":"resize","columns":"1"}'])
      page.send(text);
    page.send('{"type":"resize","columns":120,"rows":40}');
    await eventually(() => typed.length > 0);
    expect(typed.map(String)).toEqual(['\u0004{"Width":120,"Height":40}']);
  });

  it("keeps input typed before the pod was connected", async () => {
    const front = await listen();
    const page = new WebSocket(front.url);
    const browser = await front.client;
    sockets.push(page, browser);
    const early = keepEarly(browser);
    await eventually(() => page.readyState === page.OPEN);
    let count = 0;
    browser.on("message", () => count++);
    page.send(Buffer.from("a"));
    page.send(Buffer.from("b"));
    await eventually(() => count === 2);
    const back = await listen();
    const pod = new WebSocket(back.url);
    sockets.push(pod);
    void bridge({ browser, pod, early: early.take(), clock: systemClock, idleMs: 60_000 });
    const typed: string[] = [];
    (await back.client).on("message", (data) => typed.push((data as Buffer).toString()));
    page.send(Buffer.from("c"));
    await eventually(() => typed.length === 3);
    expect(typed.map((text) => text.slice(1)).join("")).toBe("abc");
  });

  it("pauses the pod for a browser that does not read, and then delivers everything", async () => {
    const { page, browser, pod, exec, shown } = await joined();
    page.pause();
    const piece = Buffer.concat([Buffer.of(1), Buffer.alloc(64 * 1024, "x")]);
    const pieces = 400;
    for (let count = 0; count < pieces; count++) exec.send(piece);
    await eventually(() => pod.isPaused, { what: "the pod to wait" });
    // Only data in flight is buffered here; the rest stays at the sender.
    expect(browser.bufferedAmount).toBeLessThan(2 * 1024 * 1024);
    page.resume();
    const bytes = (): number => shown.reduce((sum, { length }) => sum + length, 0);
    await eventually(() => bytes() === pieces * 64 * 1024, { what: () => `all bytes; there are ${bytes()}` });
  });

  it.each([
    ["the page closes", "left", ({ page }: Parts) => page.terminate()],
    ["the shell exits", "exited", ({ exec }: Parts) => exec.send(Buffer.from('\u0003{"status":"Success"}'))],
    ["the connection to the pod breaks", "exited", ({ exec }: Parts) => exec.terminate()],
  ] as const)("ends when %s, and leaves nothing open", async (_when, why, act) => {
    const parts = await joined();
    act(parts);
    expect(await parts.ended).toBe(why);
    await eventually(() => parts.page.readyState === 3 && parts.exec.readyState === 3 && parts.pod.readyState === 3);
  });

  it("ends without input, however much output there is", async () => {
    const clock = new FakeClock();
    const { exec, page, shown, ended } = await joined({ clock, idleMs: 10_000 });
    page.send(Buffer.from("x"));
    exec.send(Buffer.from("\u0001busy"));
    await eventually(() => shown.length === 1);
    clock.advance(10_001);
    expect(await ended).toBe("idle");
  });

  it("ends when a browser stops responding", async () => {
    const clock = new FakeClock();
    const { page, ended } = await joined({ clock, idleMs: 10_000_000 });
    page.pause();
    clock.advance(25_001);
    clock.advance(25_001);
    expect(await ended).toBe("silent");
  });
});
