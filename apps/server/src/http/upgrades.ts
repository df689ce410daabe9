import { type IncomingMessage, type Server, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

/** Requests for another protocol that somebody serves. */
const taken = new WeakSet<IncomingMessage>();

/** The path of such a request, which may be anything that a client could think of. */
export function upgradePathOf({ url = "" }: IncomingMessage): string {
  return url.split("?", 1)[0] ?? "";
}

/** Says that a request is served; to be said before anything is waited for. */
export function takeUpgrade(request: IncomingMessage, socket: Duplex): void {
  taken.add(request);
  socket.on("error", () => socket.destroy());
}

/** Answers that it is not, and ends the connection. */
export function refuseUpgrade(socket: Duplex, status: number): void {
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}

/**
 * Answers those that nobody serves. Node leaves them to whoever listens: without an answer their connections would stay
 * open for ever, and anybody could open as many as the machine has room for. To be called after all others listen.
 */
export function refuseOtherUpgrades(server: Server): void {
  // Without anybody who listens, Node takes them for plain requests.
  if (server.listenerCount("upgrade") === 0) return;
  server.on("upgrade", (request: IncomingMessage, socket: Duplex) => {
    if (taken.has(request)) return;
    socket.on("error", () => socket.destroy());
    refuseUpgrade(socket, 404);
  });
}
