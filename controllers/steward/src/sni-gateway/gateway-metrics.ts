import type { MetricsRegistry } from "@butler/telemetry";
import type { HelloFault } from "./client-hello.ts";
import type { Tenant } from "./route-table.ts";

/** Why a connection was refused. Never client-provided text, so that the number of series is bounded. */
export type Refusal =
  | HelloFault
  | "hello-timeout"
  | "closed-early"
  | "unknown-server-name"
  | "no-upstream"
  | "connect-failed"
  | "connect-timeout"
  | "connection-limit"
  | "tenant-limit"
  | "waiting-limit"
  | "stopping";

/** Why the gateway closed a forwarded connection. */
export type Ending = "idle" | "tenant-deleted" | "drained";

/** Counts of names with an upstream, without an upstream yet, and rejected. */
export interface RouteCounts {
  readonly active: number;
  readonly waiting: number;
  readonly conflicting: number;
}

const connectionsName = "butler_sni_gateway_connections";
const connectionsTotalName = "butler_sni_gateway_connections_total";
const bytesName = "butler_sni_gateway_bytes_total";
const directions = ["in", "out"] as const;

/** Metrics of the gateway. The series of a tenant are removed with it. */
export type GatewayMetrics = ReturnType<typeof gatewayMetrics>;

/** The metrics of one gateway. */
export function gatewayMetrics(registry: MetricsRegistry) {
  const tenantLabels = ["namespace", "name"];
  const open = registry.gauge(connectionsName, { help: "Open connections to tenants.", labels: tenantLabels });
  const opened = registry.counter(connectionsTotalName, {
    help: "Connections forwarded to tenants.",
    labels: tenantLabels,
  });
  const bytes = registry.counter(bytesName, {
    help: "Bytes forwarded from clients (in) and to clients (out).",
    labels: [...tenantLabels, "direction"],
  });
  const refusals = registry.counter("butler_sni_gateway_refusals_total", {
    help: "Connections refused, by reason.",
    labels: ["reason"],
  });
  const endings = registry.counter("butler_sni_gateway_ended_total", {
    help: "Forwarded connections closed by the gateway, by reason.",
    labels: ["reason"],
  });
  const connecting = registry.histogram("butler_sni_gateway_connect_duration_seconds", {
    help: "Time to connect to a tenant.",
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 3],
  });
  const routes = registry.gauge("butler_sni_gateway_routes", {
    help: "Server names, by state.",
    labels: ["state"],
  });
  return {
    refused: (reason: Refusal): void => refusals.inc({ reason }),
    ended: (reason: Ending): void => endings.inc({ reason }),
    connected: (seconds: number): void => connecting.observe({}, seconds),
    opened: (tenant: Tenant): void => opened.inc(labelsOf(tenant)),
    holds: (tenant: Tenant, count: number): void => open.set(labelsOf(tenant), count),
    carried: (tenant: Tenant, direction: (typeof directions)[number], count: number): void =>
      bytes.inc({ ...labelsOf(tenant), direction }, count),
    knows: (counts: RouteCounts): void => {
      for (const [state, count] of Object.entries(counts)) routes.set({ state }, count);
    },
    forget: (tenant: Tenant): void => {
      registry.forget(connectionsName, labelsOf(tenant));
      registry.forget(connectionsTotalName, labelsOf(tenant));
      for (const direction of directions) registry.forget(bytesName, { ...labelsOf(tenant), direction });
    },
  };
}

function labelsOf({ namespace, name }: Tenant): { namespace: string; name: string } {
  return { namespace, name };
}
