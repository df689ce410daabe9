import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { MetricsRegistry } from "@butler/telemetry";
import { onTestFinished } from "vitest";
import { buildRouteTable, type RouteClaim, type Upstream } from "../route-table.ts";
import { SniGateway, type SniGatewayOptions } from "../sni-gateway.ts";
import { helloMessage, inRecords } from "./hello-builder.ts";

/** The ClientHello for a name. The following bytes need not be TLS: the gateway does not inspect them. */
export function helloFor(serverName: string): Buffer {
  return inRecords(helloMessage({ names: [[0, serverName]] }));
}

/** A claim on a name; of two, the one with the later creation date is the younger. */
export function aClaim(
  name: string,
  upstream: Upstream | undefined,
  hostname: string | undefined = `${name}.example.com`,
): RouteClaim {
  return {
    tenant: { uid: `uid-of-${name}`, namespace: "default", name },
    creationTimestamp: "2026-01-01T00:00:00Z",
    hostname,
    upstream,
  };
}

/** A gateway with clients and tenants on this machine, all closed by `close`. */
export class GatewayHarness {
  readonly metrics = new MetricsRegistry();
  readonly gateway: SniGateway;
  readonly #sockets = new Set<Socket>();
  readonly #servers: Server[] = [];
  port = 0;

  private constructor(options: SniGatewayOptions) {
    this.gateway = new SniGateway({ metrics: this.metrics, ...options, limits: { drainMs: 0, ...options.limits } });
  }

  static async start(options: SniGatewayOptions = {}): Promise<GatewayHarness> {
    const harness = new GatewayHarness(options);
    harness.port = await harness.gateway.listen(0, "127.0.0.1");
    return harness;
  }

  route(...claims: readonly RouteClaim[]): void {
    this.gateway.setRoutes(buildRouteTable(claims));
  }

  /** A tenant that handles each connection as the test directs. */
  async tenant(onConnection: (socket: Socket) => void): Promise<Upstream> {
    return this.serve(createServer({ allowHalfOpen: true }, onConnection));
  }

  /** Starts listening with a custom server. */
  async serve(server: Server): Promise<Upstream> {
    server.on("connection", (socket: Socket) => this.#keep(socket));
    this.#servers.push(server);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return { host: "127.0.0.1", port: (server.address() as AddressInfo).port };
  }

  /** A connection to the gateway that has sent nothing yet. */
  async connect(): Promise<Socket> {
    const socket = this.#keep(connect({ port: this.port, host: "127.0.0.1", allowHalfOpen: true, noDelay: true }));
    await once(socket, "connect");
    return socket;
  }

  /** A connection that has sent a ClientHello. */
  async ask(serverName: string): Promise<Socket> {
    const socket = await this.connect();
    socket.write(helloFor(serverName));
    return socket;
  }

  refusals(reason: string): Promise<number> {
    return this.metrics.value("butler_sni_gateway_refusals_total", { reason });
  }

  openOf(name: string): Promise<number> {
    return this.metrics.value("butler_sni_gateway_connections", { name });
  }

  async close(): Promise<void> {
    await this.gateway.stop();
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(this.#servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }

  #keep(socket: Socket): Socket {
    this.#sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => this.#sockets.delete(socket));
    return socket;
  }
}

/** Echoes everything except the initial ClientHello. */
export function echoAfter(hello: Buffer): (socket: Socket) => void {
  return (socket) => {
    let skipped = 0;
    socket.on("data", (chunk: Buffer) => {
      const rest = chunk.subarray(Math.min(chunk.length, hello.length - skipped));
      skipped += chunk.length - rest.length;
      if (rest.length > 0) socket.write(rest);
    });
    socket.on("end", () => socket.end());
  };
}

/** An address without a listener. */
export const nowhere: Upstream = { host: "127.0.0.1", port: 1 };

/** Starts a gateway that is stopped at the end of the test. */
export async function startGateway(options: SniGatewayOptions = {}): Promise<GatewayHarness> {
  const harness = await GatewayHarness.start(options);
  onTestFinished(() => harness.close());
  return harness;
}
