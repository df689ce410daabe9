import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { connect, type TLSSocket } from "node:tls";

/** The faults of a connection. */
export type Fault = "drop" | "stall" | "corrupt" | "halfClose" | "gone" | "goneInStream" | "throttle";

export interface FaultProxyOptions {
  readonly target: {
    readonly host: string;
    readonly port: number;
    readonly ca: string;
    readonly cert: string;
    readonly key: string;
  };
  readonly random: () => number;
  /**
   * How often lists and watches get each fault, as a deck of cards: shuffled, one dealt to each request, shuffled again
   * when used up. So the order is random, and every fault occurs.
   */
  readonly decks: Readonly<Record<"list" | "watch", Readonly<Partial<Record<Fault | "none", number>>>>>;
  /** A fault in the response occurs after at most this many bytes. */
  readonly strikeWithinBytes?: number;
}

/** Bytes that are invalid in JSON and HTTP headers, so that every damage is detectable. */
const garbage = [0x00, 0x01, 0xfe, 0xff];

const goneStatus = {
  kind: "Status",
  apiVersion: "v1",
  status: "Failure",
  reason: "Expired",
  code: 410,
  message: "too old",
};
const throttleStatus = { ...goneStatus, reason: "TooManyRequests", code: 429, message: "too many requests" };

/**
 * A TCP proxy with plain HTTP to its client and TLS to a real API server, which injects faults into responses: it
 * interrupts them, stalls, damages bytes, half-closes the connection, or responds with 410 or 429.
 */
export class FaultProxy {
  readonly #options: FaultProxyOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #cards: Record<"list" | "watch", (Fault | "none")[]> = { list: [], watch: [] };
  /** Number of injected faults by kind. */
  readonly strikes: Record<Fault, number> = {
    drop: 0,
    stall: 0,
    corrupt: 0,
    halfClose: 0,
    gone: 0,
    goneInStream: 0,
    throttle: 0,
  };
  isCalm = false;

  constructor(options: FaultProxyOptions) {
    this.#options = options;
    this.#server = createServer((client) => this.#serve(client));
  }

  async start(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, "close");
  }

  #serve(client: Socket): void {
    const { host, port, ca, cert, key } = this.#options.target;
    const upstream = connect({ host, port, ca, cert, key, servername: "localhost" });
    for (const socket of [client, upstream]) {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
      socket.on("error", () => undefined);
    }
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.destroy());
    const connection = new FaultyConnection(client, upstream, (fault) => this.strikes[fault]++);
    client.on("data", (chunk) => {
      if (chunk.subarray(0, 4).toString("latin1") === "GET ") {
        const verb = chunk.includes("watch=true") ? "watch" : "list";
        connection.begin(this.#chooseFault(verb), this.#strikeAt());
      }
      connection.fromClient(chunk);
    });
    upstream.on("data", (chunk) => connection.fromServer(chunk));
    upstream.on("end", () => client.end());
  }

  #chooseFault(verb: "list" | "watch"): Fault | undefined {
    if (this.isCalm) return undefined;
    if (this.#cards[verb].length === 0) this.#cards[verb] = this.#shuffledDeck(verb);
    const card = this.#cards[verb].pop();
    return card === "none" ? undefined : card;
  }

  #shuffledDeck(verb: "list" | "watch"): (Fault | "none")[] {
    const deck = Object.entries(this.#options.decks[verb]).flatMap(([card, count]) =>
      Array.from({ length: count }, () => ({ card: card as Fault | "none", at: this.#options.random() })),
    );
    return deck.sort((left, right) => left.at - right.at).map(({ card }) => card);
  }

  #strikeAt(): number {
    return Math.floor(this.#options.random() * (this.#options.strikeWithinBytes ?? 200_000));
  }
}

/** One client connection with the fault for its current request. */
class FaultyConnection {
  readonly #client: Socket;
  readonly #upstream: TLSSocket;
  readonly #noteStrike: (fault: Fault) => void;
  #fault: Fault | undefined;
  #bytesUntilStrike = 0;
  #isSilent = false;

  constructor(client: Socket, upstream: TLSSocket, noteStrike: (fault: Fault) => void) {
    this.#client = client;
    this.#upstream = upstream;
    this.#noteStrike = noteStrike;
  }

  begin(fault: Fault | undefined, strikeAt: number): void {
    this.#fault = fault;
    this.#bytesUntilStrike = strikeAt;
  }

  fromClient(chunk: Buffer): void {
    if (this.#isSilent) return;
    const isWatch = chunk.includes("watch=true");
    switch (this.#fault) {
      case "throttle":
        return this.#answer("429 Too Many Requests", JSON.stringify(throttleStatus), "retry-after: 0.2\r\n");
      case "gone":
        // Only requests with a resourceVersion can be too old.
        if (isWatch || chunk.includes("continue=")) return this.#answer("410 Gone", JSON.stringify(goneStatus));
        break;
      case "goneInStream":
        if (isWatch) return this.#answer("200 OK", `${JSON.stringify({ type: "ERROR", object: goneStatus })}\n`);
        break;
      default:
    }
    this.#upstream.write(chunk);
  }

  fromServer(chunk: Buffer): void {
    if (this.#isSilent) return;
    this.#bytesUntilStrike -= chunk.length;
    if (this.#bytesUntilStrike > 0 || !this.#strike(chunk)) this.#client.write(chunk);
  }

  /** Applies the fault; true when the chunk has been handled. */
  #strike(chunk: Buffer): boolean {
    const fault = this.#fault;
    if (fault === undefined || fault === "gone" || fault === "goneInStream" || fault === "throttle") return false;
    this.#fault = undefined;
    this.#noteStrike(fault);
    const middle = Math.floor(chunk.length / 2);
    if (fault === "stall") {
      this.#isSilent = true;
      return true;
    }
    if (fault === "corrupt") {
      const damaged = Buffer.from(chunk);
      damaged[middle] = garbage[middle % garbage.length] ?? 0;
      this.#client.write(damaged);
      return true;
    }
    this.#client.write(chunk.subarray(0, middle));
    if (fault === "drop") this.#client.resetAndDestroy();
    else this.#client.end();
    this.#isSilent = true;
    return true;
  }

  #answer(status: string, body: string, headers = ""): void {
    const fault = this.#fault;
    if (fault !== undefined) this.#noteStrike(fault);
    this.#isSilent = true;
    this.#client.end(
      `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
    );
  }
}
