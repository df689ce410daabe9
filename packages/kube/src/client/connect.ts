import type { KubeConfig } from "@kubernetes/client-node";
import { ApiClient } from "./client.ts";
import { ConnectionSource } from "./connection.ts";
import { Transport, type TransportOptions } from "./transport.ts";

/** A client and a function to close its connections. */
export interface ConnectedClient {
  readonly client: ApiClient;
  readonly transport: Transport;
  readonly close: () => Promise<void>;
}

/** Connects to the current cluster of a kubeconfig. Sends no request yet. */
export function connect(config: KubeConfig, options: TransportOptions = {}): ConnectedClient {
  const connections = new ConnectionSource(config, options.clock);
  const transport = new Transport(connections, options);
  return { client: new ApiClient(transport), transport, close: () => connections.close() };
}
