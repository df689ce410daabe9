import type { Socket } from "node:net";
import type { Ending, GatewayMetrics } from "./gateway-metrics.ts";
import type { Tenant } from "./route-table.ts";

interface OpenConnection {
  readonly client: Socket;
  readonly tenant: Tenant;
  /** What is already counted. */
  countedIn: number;
  countedOut: number;
}

/** The open connections of tenants, and their traffic. */
export class OpenConnections {
  readonly #metrics: GatewayMetrics;
  readonly #byTenant = new Map<string, Set<OpenConnection>>();

  constructor(metrics: GatewayMetrics) {
    this.#metrics = metrics;
  }

  countOf({ uid }: Tenant): number {
    return this.#byTenant.get(uid)?.size ?? 0;
  }

  /** Counts a client among those of a tenant until it is closed. */
  add(tenant: Tenant, client: Socket): void {
    const connection: OpenConnection = { client, tenant, countedIn: 0, countedOut: 0 };
    const connections = this.#byTenant.get(tenant.uid) ?? new Set();
    this.#byTenant.set(tenant.uid, connections.add(connection));
    this.#metrics.opened(tenant);
    this.#metrics.holds(tenant, connections.size);
    client.once("close", () => this.#remove(connection));
  }

  /** Updates the metrics with the traffic of open connections. */
  sample(): void {
    for (const connections of this.#byTenant.values()) {
      for (const connection of connections) this.#count(connection);
    }
  }

  /** Closes the connections of deleted tenants and drops their state. */
  removeTenant(tenant: Tenant): void {
    const connections = this.#byTenant.get(tenant.uid) ?? [];
    this.#byTenant.delete(tenant.uid);
    for (const { client } of connections) this.#end(client, "tenant-deleted");
    this.#metrics.forget(tenant);
  }

  /** Ends every connection. */
  endAll(reason: Ending): void {
    for (const connections of this.#byTenant.values()) for (const { client } of connections) this.#end(client, reason);
  }

  #end(client: Socket, reason: Ending): void {
    this.#metrics.ended(reason);
    client.destroy();
  }

  #remove(connection: OpenConnection): void {
    const connections = this.#byTenant.get(connection.tenant.uid);
    // Nothing is counted for a deleted tenant: that would recreate its series.
    if (connections?.delete(connection) !== true) return;
    this.#count(connection);
    this.#metrics.holds(connection.tenant, connections.size);
    if (connections.size === 0) this.#byTenant.delete(connection.tenant.uid);
  }

  #count(connection: OpenConnection): void {
    const { tenant, client, countedIn, countedOut } = connection;
    this.#metrics.carried(tenant, "in", client.bytesRead - countedIn);
    this.#metrics.carried(tenant, "out", client.bytesWritten - countedOut);
    connection.countedIn = client.bytesRead;
    connection.countedOut = client.bytesWritten;
  }
}
