import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** A TCP proxy that can hold back what the other side answers, or drop connections. */
export class SlowProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** How long each piece of an answer is held back. */
  delayMs = 0;
  /** Connections taken so far. */
  connections = 0;

  constructor(target: string) {
    const [host = "", port = ""] = target.split(":");
    this.#server = createServer((client) => {
      this.connections++;
      const upstream = connect({ host, port: Number(port) });
      for (const socket of [client, upstream]) {
        this.#sockets.add(socket);
        socket.on("error", () => undefined);
        socket.on("close", () => this.#sockets.delete(socket));
      }
      client.on("close", () => upstream.destroy());
      upstream.on("close", () => client.destroy());
      client.pipe(upstream);
      upstream.on("data", (chunk) => {
        setTimeout(() => client.writable && client.write(chunk), this.delayMs);
      });
    });
  }

  /** Begins to listen; gives the address as host:port. */
  async start(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Breaks every connection there is. */
  breakConnections(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async stop(): Promise<void> {
    this.breakConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}
