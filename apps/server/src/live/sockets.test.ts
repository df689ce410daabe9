import type { AddressInfo } from "node:net";
import {
  applyLive,
  connectLive,
  emptyLiveState,
  type LiveMessage,
  type LiveClient,
  type LiveConnection,
  liveProtocol,
} from "@butler/contract";
import { systemClock } from "@butler/std";
import { MetricsRegistry, silentLogger } from "@butler/telemetry";
import { eventually } from "@butler/testkit";
import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import type { SignedIn } from "../ports.ts";
import { LiveHub } from "./hub.ts";
import { LiveItem } from "./live-item.ts";
import { issueTicket } from "./ticket.ts";
import { refuseOtherUpgrades } from "../http/upgrades.ts";
import { serveSockets } from "./upgrade.ts";

const key = Buffer.alloc(32, 7);
const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** State shared by concurrent servers. */
function shared() {
  const people = new Map<string, SignedIn>();
  const seen = new Map<string, ReadonlySet<string>>();
  const used = new Set<string>();
  const listeners = new Set<() => void>();
  return {
    people,
    seen,
    join(session: string, ...teams: string[]): void {
      people.set(session, { person: { email: `${session}@example.com`, groups: [] }, sessionId: session });
      seen.set(session, new Set(teams));
      for (const listener of listeners) listener();
    },
    leave(session: string): void {
      people.delete(session);
      for (const listener of listeners) listener();
    },
    sessions: {
      find: (session: string) => people.get(session),
      onChange: (listener: () => void) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    uses: {
      claim: (id: string) => {
        const isFirst = !used.has(id);
        used.add(id);
        return Promise.resolve(isFirst);
      },
    },
  };
}

type Shared = ReturnType<typeof shared>;

async function aServer(
  backend: Shared,
  port = 0,
): Promise<{ app: FastifyInstance; hub: LiveHub; url: string; stop: () => Promise<void> }> {
  const app = Fastify();
  const hub = new LiveHub({
    clock: systemClock,
    sessions: backend.sessions,
    visibleTeams: ({ sessionId = "" }) => backend.seen.get(sessionId) ?? new Set<string>(),
    turnMs: 10,
  });
  const stopServing = serveSockets(app, {
    hub,
    sessions: backend.sessions,
    uses: backend.uses,
    keys: () => [key],
    publicUrl: "https://butler.example.com",
    clock: systemClock,
    logger: silentLogger,
    metrics: new MetricsRegistry(),
    mostSockets: 1_000,
    mostPerSession: 3,
  });
  refuseOtherUpgrades(app.server);
  app.addHook("preClose", (done) => {
    stopServing();
    done();
  });
  await app.listen({ port, host: "127.0.0.1" });
  const stop = async (): Promise<void> => {
    await app.close();
  };
  open.push(stop);
  return { app, hub, url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`, stop };
}

function ticketFor(sessionId: string, { origin = "", now = new Date() } = {}): string {
  return issueTicket({ sessionId, origin, now }, key).text;
}

interface Dialled {
  readonly socket: WebSocket;
  readonly outcome: Promise<number | "open">;
}

function dial(url: string, protocols: readonly string[], origin?: string): Dialled {
  const socket = new WebSocket(
    `${url.replace("http", "ws")}/api/live`,
    [...protocols],
    origin === undefined ? {} : { origin },
  );
  open.push(() => socket.terminate());
  const outcome = new Promise<number | "open">((resolve) => {
    socket.on("open", () => resolve("open"));
    socket.on("unexpected-response", (_request, response) => resolve(response.statusCode ?? 0));
    socket.on("error", () => undefined);
  });
  return { socket, outcome };
}

const closeOf = (socket: WebSocket): Promise<number> =>
  new Promise((resolve) => socket.on("close", (code) => resolve(code)));
const put = (hub: LiveHub, name: string, team: string): void =>
  hub.logs.clusters.put(new LiveItem({ key: name, team }, () => ({ name, team })));

describe("the WebSocket", () => {
  it("accepts a ticket once", async () => {
    const backend = shared();
    backend.join("ada", "red");
    const { url } = await aServer(backend);
    const ticket = ticketFor("ada");
    expect(await dial(url, [liveProtocol, `ticket.${ticket}`]).outcome).toBe("open");
    expect(await dial(url, [liveProtocol, `ticket.${ticket}`]).outcome).toBe(401);
  });

  it.each<[string, () => readonly string[], string | undefined, number]>([
    ["no ticket", () => [liveProtocol], undefined, 400],
    ["no protocol", () => [`ticket.${ticketFor("ada")}`], undefined, 400],
    ["a forged ticket", () => [liveProtocol, `ticket.${ticketFor("ada").slice(0, -2)}xx`], undefined, 401],
    [
      "an old ticket",
      () => [liveProtocol, `ticket.${ticketFor("ada", { now: new Date(Date.now() - 31_000) })}`],
      undefined,
      401,
    ],
    ["a ticket without a valid session", () => [liveProtocol, `ticket.${ticketFor("eve")}`], undefined, 401],
    ["a page of another origin", () => [liveProtocol, `ticket.${ticketFor("ada")}`], "https://evil.example.com", 403],
    [
      "a page with the ticket of a program",
      () => [liveProtocol, `ticket.${ticketFor("ada")}`],
      "https://butler.example.com",
      401,
    ],
    [
      "a program with the ticket of a page",
      () => [liveProtocol, `ticket.${ticketFor("ada", { origin: "https://butler.example.com" })}`],
      undefined,
      401,
    ],
  ])("refuses %s", async (_what, protocols, origin, status) => {
    const backend = shared();
    backend.join("ada", "red");
    const { url } = await aServer(backend);
    expect(await dial(url, protocols(), origin).outcome).toBe(status);
  });

  it("accepts the console's own page, and limits the sockets per session", async () => {
    const backend = shared();
    backend.join("ada", "red");
    const { url } = await aServer(backend);
    const origin = "https://butler.example.com";
    const next = (): Dialled => dial(url, [liveProtocol, `ticket.${ticketFor("ada", { origin })}`], origin);
    expect([await next().outcome, await next().outcome, await next().outcome]).toEqual(["open", "open", "open"]);
    expect(await next().outcome).toBe(503);
  });

  it.each<[string, string | Buffer, number]>([
    ["nonsense", "{", 4400],
    ["an unknown channel", JSON.stringify({ type: "subscribe", id: "1", channel: "secrets" }), 4400],
    ["bytes", Buffer.from([1, 2, 3]), 4400],
    ["a message that is too large", JSON.stringify({ type: "unsubscribe", id: "x".repeat(5_000) }), 1009],
  ])("closes on %s", async (_what, message, code) => {
    const backend = shared();
    backend.join("ada", "red");
    const { url } = await aServer(backend);
    const { socket, outcome } = dial(url, [liveProtocol, `ticket.${ticketFor("ada")}`]);
    await outcome;
    const closed = closeOf(socket);
    socket.send(message);
    expect(await closed).toBe(code);
  });

  it("responds to a path without a handler", async () => {
    const { url } = await aServer(shared());
    const socket = new WebSocket(`${url.replace("http", "ws")}/api/other`);
    const status = await new Promise((resolve) => {
      socket.on("unexpected-response", (_request, response) => resolve(response.statusCode));
      socket.on("error", () => undefined);
    });
    expect(status).toBe(404);
  });

  it("closes within a second when the session ends", async () => {
    const backend = shared();
    backend.join("ada", "red");
    const { url } = await aServer(backend);
    const { socket, outcome } = dial(url, [liveProtocol, `ticket.${ticketFor("ada")}`]);
    await outcome;
    const beganMs = performance.now();
    const closed = closeOf(socket);
    backend.leave("ada");
    expect(await closed).toBe(4401);
    expect(performance.now() - beganMs).toBeLessThan(1_000);
  });
});

it("keeps many clients up to date during many changes", async () => {
  const backend = shared();
  const { hub, url } = await aServer(backend);
  const states = await Promise.all(
    Array.from({ length: 100 }, async (_none, at) => {
      backend.join(`p${at}`, at % 2 === 0 ? "red" : "green");
      const { socket, outcome } = dial(url, [liveProtocol, `ticket.${ticketFor(`p${at}`)}`]);
      const known = { state: emptyLiveState, team: at % 2 === 0 ? "red" : "green" };
      socket.on("message", (data) => {
        known.state = applyLive(known.state, JSON.parse((data as Buffer).toString()) as LiveMessage);
      });
      await outcome;
      socket.send(JSON.stringify({ type: "subscribe", id: "1", channel: "clusters" }));
      return known;
    }),
  );
  for (let change = 0; change < 300; change++) {
    put(hub, `c${change % 40}`, change % 3 === 0 ? "red" : "green");
    if (change % 7 === 0) hub.logs.clusters.remove(`c${(change * 3) % 40}`);
    if (change % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  for (const known of states) {
    const wanted = [...hub.logs.clusters.values()].filter(({ team }) => team === known.team).map((each) => each.key);
    await eventually(() => [...known.state.objects.keys()].sort().join() === wanted.sort().join());
  }
});

describe("the live client", () => {
  function follow(session: string, urls: () => string) {
    const states: LiveConnection[] = [];
    const known: { objects: ReadonlyMap<string, unknown> } = { objects: new Map() };
    const sockets: WebSocket[] = [];
    const client: LiveClient = connectLive({
      baseUrl: "http://unused",
      ticket: () => Promise.resolve(ticketFor(session)),
      openSocket: (_url, protocols) => {
        const socket = new WebSocket(`${urls().replace("http", "ws")}/api/live`, protocols);
        sockets.push(socket);
        return socket;
      },
      backoff: { initialMs: 10, maximumMs: 50, factor: 2, jitter: 0 },
    });
    client.onConnection((state) => states.push(state));
    client.subscribe({ channel: "clusters", onState: (objects) => (known.objects = objects) });
    open.push(() => client.close());
    return { client, states, known, sockets };
  }

  it("follows changes, and reconnects automatically", async () => {
    const backend = shared();
    backend.join("ada", "red");
    const { hub, url } = await aServer(backend);
    put(hub, "a", "red");
    put(hub, "hidden", "green");
    const { known, sockets } = follow("ada", () => url);
    await eventually(() => known.objects.size === 1);
    sockets[0]?.terminate();
    put(hub, "b", "red");
    await eventually(() => known.objects.size === 2);
    expect([...known.objects.keys()]).toEqual(["a", "b"]);
    expect(sockets).toHaveLength(2);
  });

  it("moves to another server when its own stops", async () => {
    const backend = shared();
    backend.join("ada", "red");
    const first = await aServer(backend);
    const second = await aServer(backend);
    put(first.hub, "a", "red");
    put(second.hub, "a", "red");
    put(second.hub, "b", "red");
    let current = first.url;
    const { known } = follow("ada", () => current);
    await eventually(() => known.objects.size === 1);
    current = second.url;
    await first.stop();
    await eventually(() => known.objects.size === 2);
  });

  it("stops reconnecting after the session has ended", async () => {
    const backend = shared();
    backend.join("ada", "red");
    const { url } = await aServer(backend);
    const { client, sockets } = follow("ada", () => url);
    await eventually(() => client.connection === "connected");
    backend.leave("ada");
    await eventually(() => client.connection === "refused");
    expect(sockets).toHaveLength(1);
  });

  it("reflects a granted or revoked role within a second", async () => {
    const backend = shared();
    backend.join("ada", "red");
    const { hub, url } = await aServer(backend);
    put(hub, "a", "red");
    put(hub, "b", "green");
    const { known } = follow("ada", () => url);
    await eventually(() => known.objects.size === 1);
    backend.join("ada", "red", "green");
    await eventually(() => known.objects.size === 2, { timeoutMs: 1_000 });
    backend.join("ada", "green");
    await eventually(() => [...known.objects.keys()].join() === "b", { timeoutMs: 1_000 });
  });
});
