import { parseArgs } from "node:util";
import { CacheSet, type KubeClient } from "@butler/kube";
import { InvalidInput, parseDurationMs } from "@butler/std";
import type { Logger, MetricsRegistry } from "@butler/telemetry";
import { sniGatewayPort } from "../exposure/exposure-mode.ts";
import { defaultLimits, type GatewayLimits } from "./gateway-limits.ts";
import { RouteWatch } from "./route-watch.ts";
import { SniGateway } from "./sni-gateway.ts";

/** What the surrounding process provides. */
export interface SniGatewayContext {
  readonly client: KubeClient;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

/** The gateway as a role of a process. */
export interface SniGatewayRole {
  readonly run: (signal: AbortSignal) => Promise<void>;
  readonly isReady: () => boolean;
}

const options = {
  port: { type: "string" },
  "max-connections": { type: "string" },
  "max-connections-per-tenant": { type: "string" },
  "hello-timeout": { type: "string" },
  "connect-timeout": { type: "string" },
  "idle-timeout": { type: "string" },
  "drain-timeout": { type: "string" },
  "proxy-protocol": { type: "boolean" },
} as const;

/** The command-line flags of the gateway. */
export interface SniGatewaySettings {
  readonly port: number;
  readonly proxyProtocol: boolean;
  readonly limits: GatewayLimits;
}

/** Reads the command line; throws InvalidInput that names the argument. */
export function parseSniGatewayArguments(argv: readonly string[]): SniGatewaySettings {
  const values = readOptions(argv);
  const count = (name: keyof typeof options, fallback: number, largest = Number.MAX_SAFE_INTEGER): number => {
    const text = values[name];
    if (text === undefined) return fallback;
    const number = Number(text);
    if (Number.isInteger(number) && number >= 0 && number <= largest && text !== "") return number;
    throw new InvalidInput(`--${name} ${String(text)} is not an integer from 0 to ${largest}`);
  };
  const time = (name: keyof typeof options, fallbackMs: number): number => {
    const text = values[name];
    return text === undefined ? fallbackMs : parseDurationMs(String(text));
  };
  const idleTimeoutMs = time("idle-timeout", 0);
  return {
    port: count("port", sniGatewayPort, 65_535),
    proxyProtocol: values["proxy-protocol"] ?? false,
    limits: {
      ...defaultLimits,
      connections: count("max-connections", defaultLimits.connections),
      connectionsPerTenant: count("max-connections-per-tenant", defaultLimits.connectionsPerTenant),
      helloTimeoutMs: time("hello-timeout", defaultLimits.helloTimeoutMs),
      connectTimeoutMs: time("connect-timeout", defaultLimits.connectTimeoutMs),
      idleTimeoutMs: idleTimeoutMs === 0 ? undefined : idleTimeoutMs,
      drainMs: time("drain-timeout", defaultLimits.drainMs),
    },
  };
}

function readOptions(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options }).values;
  } catch (cause) {
    const hint = `valid flags for sni-gateway: --${Object.keys(options).join(", --")}`;
    throw new InvalidInput("invalid flag for sni-gateway", { cause, hint });
  }
}

/**
 * Runs the gateway: reads the routes, then accepts connections. It stays ready until it stops, also while the API
 * server of the management cluster is unavailable: that must not affect every tenant.
 */
export function sniGatewayRole(
  argv: readonly string[],
  { client, logger, metrics }: SniGatewayContext,
): SniGatewayRole {
  const { port, proxyProtocol, limits } = parseSniGatewayArguments(argv);
  const caches = new CacheSet(client, { logger, metrics });
  const gateway = new SniGateway({ limits, proxyProtocol, logger, metrics });
  const routes = new RouteWatch(caches, { onTable: (table) => gateway.setRoutes(table), logger });
  const run = async (signal: AbortSignal): Promise<void> => {
    await routes.start(signal);
    if (!signal.aborted) {
      logger.info("accepting connections", { port: await gateway.listen(port) });
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      await gateway.stop();
    }
    await caches.stopped();
  };
  return { run, isReady: () => routes.isReady && gateway.isListening };
}
