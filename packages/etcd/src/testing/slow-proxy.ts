import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** A TCP proxy that can delay responses or drop connections. */
export class SlowProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Delay of each chunk of a response. */
  delayMs = 0;
  /** Number of accepted connections. */
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

  /** Starts listening; returns the address as host:port. */
  async start(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Drops all connections. */
  breakConnections(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async stop(): Promise<void> {
    this.breakConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}
