import type { AgentOptions } from "node:https";
import type { KubeConfig } from "@butler/kube";
import { InvalidInput } from "@butler/std";
import { WebSocket } from "ws";
import { terminalName, terminalNamespace } from "./manifests.ts";

/** Opens a connection to the pod of a terminal. */
export type ExecDialer = (id: string, command: readonly string[]) => Promise<WebSocket>;

/** Maximum size of a message from the API server. */
const largestPiece = 1024 * 1024;

/**
 * Opens it through the exec of the Kubernetes API (protocol `v5.channel.k8s.io`), with the server's own credentials.
 */
export function kubernetesExec(config: KubeConfig): ExecDialer {
  return async (id, command) => {
    const cluster = config.getCurrentCluster();
    if (cluster === null) throw new InvalidInput("the kubeconfig has no current cluster");
    const options: AgentOptions & { headers?: Record<string, string> } = {};
    await config.applyToHTTPSOptions(options);
    const { ca, cert, key, servername, headers } = options;
    const query = new URLSearchParams({ container: "terminal", stdin: "true", stdout: "true", tty: "true" });
    for (const word of command) query.append("command", word);
    const path = `/api/v1/namespaces/${terminalNamespace}/pods/${terminalName(id)}/exec`;
    const url = `${cluster.server.replace(/^http/, "ws").replace(/\/$/, "")}${path}?${query.toString()}`;
    return new WebSocket(url, ["v5.channel.k8s.io", "v4.channel.k8s.io"], {
      ...Object.fromEntries(Object.entries({ ca, cert, key, servername, headers }).filter(([, value]) => value)),
      handshakeTimeout: 15_000,
      maxPayload: largestPiece,
      perMessageDeflate: false,
    });
  };
}
