import { type IncomingMessage, type Server, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

/** Upgrade requests that have a handler. */
const taken = new WeakSet<IncomingMessage>();

/** The path of such a request. Untrusted. */
export function upgradePathOf({ url = "" }: IncomingMessage): string {
  return url.split("?", 1)[0] ?? "";
}

/** Marks a request as handled; call this before any await. */
export function takeUpgrade(request: IncomingMessage, socket: Duplex): void {
  taken.add(request);
  socket.on("error", () => socket.destroy());
}

/** Rejects an upgrade request and closes the connection. */
export function refuseUpgrade(socket: Duplex, status: number): void {
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}

/**
 * Rejects upgrade requests without a handler. Node leaves them to the listeners: without a response their connections
 * would stay open indefinitely, and a client could exhaust the machine. Call this after all other listeners are added.
 */
export function refuseOtherUpgrades(server: Server): void {
  // Without a listener, Node treats them as plain requests.
  if (server.listenerCount("upgrade") === 0) return;
  server.on("upgrade", (request: IncomingMessage, socket: Duplex) => {
    if (taken.has(request)) return;
    socket.on("error", () => socket.destroy());
    refuseUpgrade(socket, 404);
  });
}
