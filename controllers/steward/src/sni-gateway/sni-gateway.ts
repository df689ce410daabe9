import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { type Clock, sleep, systemClock, type Timer, Unavailable } from "@butler/std";
import { type Logger, MetricsRegistry, silentLogger } from "@butler/telemetry";
import { dial } from "./dial.ts";
import { defaultLimits, type GatewayLimits } from "./gateway-limits.ts";
import { gatewayMetrics, type GatewayMetrics, type Refusal } from "./gateway-metrics.ts";
import { OpenConnections } from "./open-connections.ts";
import { proxyHeader } from "./proxy-header.ts";
import { relay } from "./relay.ts";
import { emptyRouteTable, findRoute, type Route, type RouteTable, type Tenant, type Upstream } from "./route-table.ts";
import { WaitingRoom } from "./waiting-room.ts";

export interface SniGatewayOptions {
  readonly limits?: Partial<GatewayLimits>;
  /** Whether to send PROXY protocol version 2 headers to tenants. They have to expect them. */
  readonly proxyProtocol?: boolean;
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly metrics?: MetricsRegistry;
}

/** Tells a TLS client that the requested name is unknown: a fatal alert, unrecognized_name (RFC 6066 section 3). */
const unrecognizedNameAlert = Buffer.from([21, 3, 3, 0, 2, 2, 112]);

/** How often the traffic of open connections is sampled. */
const sampleIntervalMs = 5_000;

/**
 * One address for all tenants: routes each connection to the tenant by server name, without terminating TLS. So it
 * holds no keys, and client certificates reach the tenant.
 */
export class SniGateway {
  readonly #limits: GatewayLimits;
  readonly #hasProxyHeader: boolean;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #metrics: GatewayMetrics;
  readonly #server: Server;
  readonly #waiting: WaitingRoom;
  readonly #open: OpenConnections;
  #table: RouteTable = emptyRouteTable;
  #connections = 0;
  #sampleTimer: Timer | undefined;

  constructor(options: SniGatewayOptions = {}) {
    const { clock = systemClock, logger = silentLogger, metrics = new MetricsRegistry() } = options;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#hasProxyHeader = options.proxyProtocol ?? false;
    this.#clock = clock;
    this.#logger = logger;
    this.#metrics = gatewayMetrics(metrics);
    this.#open = new OpenConnections(this.#metrics);
    this.#waiting = new WaitingRoom({
      clock,
      timeoutMs: this.#limits.helloTimeoutMs,
      capacity: this.#limits.waiting,
    });
    const keepAlive = { keepAlive: true, keepAliveInitialDelay: this.#limits.keepAliveMs };
    this.#server = createServer({ allowHalfOpen: true, noDelay: true, ...keepAlive }, (client) => {
      // A failure of one connection must not affect the others.
      this.#serve(client).catch((error: unknown) => {
        this.#logger.error("connection failed", { error });
        client.destroy();
      });
    });
  }

  get isListening(): boolean {
    return this.#server.listening;
  }

  /** Starts accepting connections; returns the port, useful when 0 was requested. */
  async listen(port: number, host?: string): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      const onError = (error: Error): void => reject(cannotListen(port, error));
      this.#server.once("error", onError);
      this.#server.listen({ port, backlog: 1_024, ...(host === undefined ? {} : { host }) }, () => {
        this.#server.off("error", onError);
        this.#server.on("error", (error) => this.#logger.warn("cannot accept a connection", { error }));
        resolve();
      });
    });
    this.#sampleLater();
    return (this.#server.address() as AddressInfo).port;
  }

  /** Replaces the route table. Open connections stay open, except for those of deleted tenants. */
  setRoutes(table: RouteTable): void {
    const previous = this.#table;
    this.#table = table;
    for (const [uid, tenant] of previous.tenants) if (!table.tenants.has(uid)) this.#open.removeTenant(tenant);
    const active = [...table.routes.values()].filter(({ upstream }) => upstream !== undefined).length;
    this.#metrics.knows({
      active,
      waiting: table.routes.size - active,
      conflicting: table.refused.size,
    });
  }

  /** Stops accepting connections, drains the open ones, and then closes them. */
  async stop(): Promise<void> {
    this.#sampleTimer?.cancel();
    const drained = new AbortController();
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => {
        drained.abort();
        resolve();
      });
    });
    this.#waiting.clear("stopping");
    await sleep(this.#clock, this.#limits.drainMs, drained.signal).catch(() => undefined);
    if (!drained.signal.aborted) this.#open.endAll("drained");
    await closed;
  }

  async #serve(client: Socket): Promise<void> {
    this.#connections++;
    client.once("close", () => this.#connections--);
    // `close` follows every error and is sufficient.
    client.on("error", () => undefined);
    if (this.#connections > this.#limits.connections) {
      this.#refuse(client, "connection-limit");
      return;
    }
    const hello = await this.#waiting.read(client);
    if (hello.kind === "refused") {
      this.#refuse(client, hello.reason);
      return;
    }
    const route = findRoute(this.#table, hello.serverName);
    const refusal = this.#objectionTo(route);
    if (route?.upstream === undefined || refusal !== undefined) this.#refuse(client, refusal ?? "no-upstream");
    else await this.#lead(client, hello.received, { tenant: route.tenant, upstream: route.upstream });
  }

  #objectionTo(route: Route | undefined): Refusal | undefined {
    if (route === undefined) return "unknown-server-name";
    if (route.upstream === undefined) return "no-upstream";
    return this.#open.countOf(route.tenant) < this.#limits.connectionsPerTenant ? undefined : "tenant-limit";
  }

  async #lead(client: Socket, received: Buffer, to: { readonly tenant: Tenant; readonly upstream: Upstream }) {
    const { connectTimeoutMs: timeoutMs, keepAliveMs, idleTimeoutMs, halfClosedTimeoutMs } = this.#limits;
    this.#open.add(to.tenant, client);
    const startedAtMs = this.#clock.monotonicMs();
    const outcome = await dial(to.upstream, client, { clock: this.#clock, timeoutMs, keepAliveMs });
    if (outcome.kind === "failed") {
      this.#refuse(client, outcome.reason);
      return;
    }
    this.#metrics.connected((this.#clock.monotonicMs() - startedAtMs) / 1_000);
    if (this.#hasProxyHeader) outcome.socket.write(headerFor(client));
    outcome.socket.write(received);
    if (idleTimeoutMs !== undefined) client.setTimeout(idleTimeoutMs, () => this.#endIdle(client));
    relay(client, outcome.socket, halfClosedTimeoutMs);
  }

  /** Retrying an unknown name does not help, so the client gets an alert; any other refusal may be retried. */
  #refuse(client: Socket, reason: Refusal): void {
    this.#metrics.refused(reason);
    this.#logger.debug("connection refused", { reason, client: client.remoteAddress });
    if (reason === "unknown-server-name") client.write(unrecognizedNameAlert);
    client.destroySoon();
  }

  #endIdle(client: Socket): void {
    this.#metrics.ended("idle");
    client.destroy();
  }

  #sampleLater(): void {
    this.#sampleTimer = this.#clock.after(sampleIntervalMs, () => {
      this.#open.sample();
      this.#sampleLater();
    });
  }
}

function cannotListen(port: number, cause: Error): Unavailable {
  const hint = "stop the process that uses the port, or choose another port with --port";
  return new Unavailable(`the SNI gateway cannot listen on port ${port}`, { cause, hint });
}

function headerFor({ remoteAddress = "", remotePort = 0, localAddress = "", localPort = 0 }: Socket): Buffer {
  return proxyHeader({ address: remoteAddress, port: remotePort }, { address: localAddress, port: localPort });
}
