import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import {
  beatEveryMs,
  largestLiveMessage,
  liveCloseCodes,
  livePath,
  liveProtocol,
  liveRequest,
  ticketPrefix,
} from "@butler/contract";
import { type Clock, describeError } from "@butler/std";
import type { Logger, MetricsRegistry } from "@butler/telemetry";
import type { FastifyInstance } from "fastify";
import { type WebSocket, WebSocketServer } from "ws";
import { refuseUpgrade, takeUpgrade, upgradePathOf } from "../http/upgrades.ts";
import type { Connection } from "./connection.ts";
import type { LiveHub } from "./hub.ts";
import type { LiveSessions, TicketUses } from "./ports.ts";
import { isOwnOrigin, readTicket, type Ticket } from "./ticket.ts";

/** Options of the WebSocket upgrade. */
export interface UpgradeOptions {
  readonly hub: LiveHub;
  readonly sessions: LiveSessions;
  readonly uses: TicketUses;
  /** Keys that tickets may be signed with, the newest first. */
  readonly keys: () => readonly Uint8Array[];
  readonly publicUrl: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  readonly mostSockets: number;
  readonly mostPerSession: number;
}

interface Refusal {
  readonly status: number;
}

const unauthorised: Refusal = { status: 401 };
const forbidden: Refusal = { status: 403 };
const busy: Refusal = { status: 503 };
const badRequest: Refusal = { status: 400 };

/** Accepts sockets with a valid ticket. Returns a function that closes all sockets. */
export function serveSockets(app: FastifyInstance, options: UpgradeOptions): () => void {
  const { hub, logger } = options;
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: largestLiveMessage,
    perMessageDeflate: false,
    handleProtocols: () => liveProtocol,
  });
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    if (upgradePathOf(request) !== livePath) return;
    takeUpgrade(request, socket);
    const open = (who: Who): void =>
      server.handleUpgrade(request, socket, head, (opened) => serve(opened, hub.connect(wireOf(opened), who), options));
    const decide = async (): Promise<void> => {
      try {
        const who = await admit(request, options);
        if ("status" in who) refuseUpgrade(socket, who.status);
        else open(who);
      } catch (error) {
        logger.warn("failed to check a ticket", { error: describeError(error) });
        refuseUpgrade(socket, busy.status);
      }
    };
    void decide();
  };
  app.server.on("upgrade", onUpgrade);
  const beats = setInterval(() => hub.beat(), beatEveryMs);
  beats.unref();
  return () => {
    clearInterval(beats);
    app.server.off("upgrade", onUpgrade);
    hub.drain();
    // Do not wait for clients that do not answer the close frame.
    for (const socket of server.clients) setTimeout(() => socket.terminate(), 1_000).unref();
    server.close();
  };
}

type Who = Parameters<LiveHub["connect"]>[1];

/** Checks a socket: cheap checks first, and the one that uses up the ticket last. */
async function admit(request: IncomingMessage, options: UpgradeOptions): Promise<Who | Refusal> {
  const { hub, sessions, uses, mostSockets, mostPerSession } = options;
  const ticket = ticketOf(request, options);
  if ("status" in ticket) return ticket;
  const { sessionId } = ticket;
  if (sessions.find(sessionId) === undefined) return unauthorised;
  if (hub.size >= mostSockets || hub.countOf(sessionId) >= mostPerSession) return busy;
  if (!(await uses.claim(ticket.id, new Date(ticket.expiresAtMs)))) return unauthorised;
  // Check again: the session may have ended in the meantime.
  const caller = sessions.find(sessionId);
  return caller === undefined ? unauthorised : { sessionId, caller };
}

function ticketOf({ headers }: IncomingMessage, { keys, publicUrl, clock }: UpgradeOptions): Ticket | Refusal {
  const protocols = (headers["sec-websocket-protocol"] ?? "").split(",").map((each) => each.trim());
  const text = protocols.find((each) => each.startsWith(ticketPrefix))?.slice(ticketPrefix.length);
  if (!protocols.includes(liveProtocol) || text === undefined) return badRequest;
  const { origin = "", host } = headers;
  if (origin !== "" && !isOwnOrigin(origin, { host, publicUrl })) return forbidden;
  return readTicket(text, { keys: keys(), origin, now: clock.now() }) ?? unauthorised;
}

function serve(socket: WebSocket, connection: Connection, { hub, clock, metrics }: UpgradeOptions): void {
  const sockets = metrics.gauge("butler_live_sockets", { help: "Number of open live channel WebSockets." });
  sockets.set({}, hub.size);
  let isHeard = true;
  const check = setInterval(() => {
    if (!isHeard) return socket.terminate();
    isHeard = false;
    socket.ping();
  }, beatEveryMs * 2);
  check.unref();
  socket.on("pong", () => (isHeard = true));
  socket.on("error", () => socket.terminate());
  socket.on("close", () => {
    clearInterval(check);
    hub.disconnect(connection);
    sockets.set({}, hub.size);
  });
  const allowance = new Allowance(clock);
  socket.on("message", (data, isBinary) => {
    isHeard = true;
    const request = isBinary ? undefined : parseRequest((data as Buffer).toString());
    if (request === undefined) return connection.close(liveCloseCodes.invalid, "invalid message");
    if (!allowance.take()) return connection.close(liveCloseCodes.tooMany, "too many messages");
    hub.receive(connection, request);
  });
}

/** Clients send few messages: a faster rate is abuse. */
class Allowance {
  readonly #clock: Clock;
  #left = 100;
  #atMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#atMs = clock.monotonicMs();
  }

  take(): boolean {
    const nowMs = this.#clock.monotonicMs();
    this.#left = Math.min(100, this.#left + ((nowMs - this.#atMs) / 1_000) * 10);
    this.#atMs = nowMs;
    if (this.#left < 1) return false;
    this.#left--;
    return true;
  }
}

function parseRequest(text: string) {
  try {
    return liveRequest.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function wireOf(socket: WebSocket) {
  return {
    get bufferedAmount(): number {
      return socket.bufferedAmount;
    },
    send: (frame: Buffer): void => {
      if (socket.readyState === socket.OPEN) socket.send(frame, { binary: false });
    },
    close: (code: number, reason: string): void => socket.close(code, reason),
  };
}
