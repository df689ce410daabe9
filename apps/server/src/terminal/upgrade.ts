import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { type Clock, describeError } from "@butler/std";
import type { Logger } from "@butler/telemetry";
import { WebSocketServer } from "ws";
import { originOfUpgrade, type ProxyTrust } from "../http/client-origin.ts";
import { RateLimiter } from "../http/rate-limit.ts";
import { refuseUpgrade as refuse, takeUpgrade, upgradePathOf } from "../http/upgrades.ts";
import { isOwnOrigin } from "../live/ticket.ts";
import type { Authenticator } from "../ports.ts";
import type { Terminals } from "./terminals.ts";

/** Options of the terminal WebSocket. */
export interface TerminalUpgradeOptions {
  readonly terminals: Terminals;
  readonly authenticate: Authenticator;
  /** The console's address; when empty, a page must come from the host that it connects to. */
  readonly publicUrl: string;
  /** Which proxies' forwarded headers are used; none by default. */
  readonly isTrustedProxy?: ProxyTrust;
  readonly clock: Clock;
  readonly logger: Logger;
}

const path = /^\/api\/terminal\/([0-9a-f]{24})$/;

/** Maximum size of one input message. */
const largestMessage = 64 * 1024;

/** Handles WebSockets of terminals, and ignores all others. */
export function acceptTerminals(server: Server, options: TerminalUpgradeOptions): void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: largestMessage, perMessageDeflate: false });
  const limiter = new RateLimiter({ burst: 200, perSecond: 20 }, options.clock);
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Not parsed as a URL: a client may send anything.
    const pathname = upgradePathOf(request);
    const [, id] = path.exec(pathname) ?? [];
    if (id === undefined) return;
    takeUpgrade(request, socket);
    const query = new URLSearchParams((request.url ?? "").slice(pathname.length));
    const origin = originOfUpgrade(request, options.isTrustedProxy ?? (() => false));
    if (limiter.secondsToWait(origin.sourceAddress) !== undefined) return refuse(socket, 429);
    // A page of another site could open a socket with the user's cookies.
    const { terminals, authenticate, logger, publicUrl } = options;
    const { origin: page = "", host } = request.headers;
    if (!isOwnOrigin(page, { host, publicUrl })) return refuse(socket, 403);
    const admitted = async (): Promise<void> => {
      const { method = "GET", headers } = request;
      const caller = await authenticate({ method, url: pathname, headers, ...origin });
      if (caller === undefined) return refuse(socket, 401);
      const record = await terminals.admit(id, query.get("ticket") ?? "", caller);
      // Do not reveal whether the terminal does not exist or the ticket is wrong.
      if (record === undefined) return refuse(socket, 404);
      sockets.handleUpgrade(request, socket, head, (browser) => void terminals.serve(record, browser));
    };
    admitted().catch((error: unknown) => {
      logger.warn("failed to open a terminal", { id, error: describeError(error) });
      refuse(socket, 503);
    });
  });
}
