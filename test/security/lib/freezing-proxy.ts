import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A TCP proxy in front of an API server that can hang as a frozen one does: it accepts connections and says nothing. */
export class FreezingProxy {
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((client) => this.#serve(client));
  readonly #target: URL;
  #isFrozen = false;

  constructor(target: string) {
    this.#target = new URL(target);
  }

  /** Starts the proxy, and returns its URL. */
  async start(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  freeze(): void {
    this.#isFrozen = true;
    for (const socket of this.#sockets) socket.pause();
  }

  thaw(): void {
    this.#isFrozen = false;
    for (const socket of this.#sockets) socket.resume();
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, "close");
  }

  #serve(client: Socket): void {
    const upstream = connect(Number(this.#target.port), this.#target.hostname);
    this.#join(client, upstream);
    this.#join(upstream, client);
  }

  #join(from: Socket, to: Socket): void {
    this.#sockets.add(from);
    from.on("data", (bytes) => void to.write(bytes));
    from.on("error", () => to.destroy());
    from.on("close", () => {
      this.#sockets.delete(from);
      to.destroy();
    });
    if (this.#isFrozen) from.pause();
  }
}
