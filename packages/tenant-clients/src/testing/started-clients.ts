import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import type { KubeClient } from "@butler/kube";
import { builtinKinds, keyText } from "@butler/resource";
import { MetricsRegistry } from "@butler/telemetry";
import { onTestFinished } from "vitest";
import { GivenKubeconfigs } from "../kubeconfig-source.ts";
import { TenantClients, type TenantClientsOptions } from "../tenant-clients.ts";

/** The tenant that tests use. */
export const blue = { namespace: "team", name: "blue-kubeconfig" };
/** A signal that never aborts. */
export const never = new AbortController().signal;
/** So that tests need not wait. */
export const quickly = { initialMs: 20, maximumMs: 60, factor: 2, jitter: 0.5 };
/** Prevents retries during a test. */
export const late = { initialMs: 3_600_000, maximumMs: 3_600_000, factor: 1, jitter: 0.5 };

/** Clients of tenants with given kubeconfigs, and their notifications. Concurrent tests pass their own cleanup. */
export function startClients(
  options: Partial<TenantClientsOptions> = {},
  atEnd: (close: () => Promise<void>) => void = onTestFinished,
) {
  const kubeconfigs = new GivenKubeconfigs();
  const metrics = new MetricsRegistry();
  const clients = new TenantClients({
    source: kubeconfigs,
    metrics,
    requestTimeoutMs: 1_500,
    probeTimeoutMs: 1_000,
    backoff: quickly,
    ...options,
  });
  const events: string[] = [];
  clients.subscribe(({ type, key }) => events.push(`${type} ${keyText(key)}`));
  atEnd(() => clients.close());
  return { clients, kubeconfigs, metrics, events };
}

/** Sends an arbitrary request. */
export const list = (client: KubeClient, signal?: AbortSignal): Promise<unknown> =>
  client.list(builtinKinds.ConfigMap, { signal });

/** A server that accepts connections and never responds. */
export async function startSilent(): Promise<{ port: number; connections: () => number }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(
      socket
        .on("error", () => undefined)
        .on("close", () => sockets.delete(socket))
        .resume(),
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, connections: () => sockets.size };
}
