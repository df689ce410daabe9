import type { AgentOptions } from "node:https";
import type { KubeConfig } from "@butler/kube";
import { InvalidInput } from "@butler/std";

/**
 * The kubeconfig of this process with all data inline, as it is passed to Helm. Credentials, including files that are
 * rotated, are read now.
 */
export async function ownKubeconfig(config: KubeConfig): Promise<string> {
  const cluster = config.getCurrentCluster();
  if (cluster === null)
    throw new InvalidInput("the kubeconfig has no current context", { hint: "Set current-context in the kubeconfig." });
  const options: AgentOptions & { headers?: Record<string, string> } = {};
  await config.applyToHTTPSOptions(options);
  const { ca, cert, key, headers = {} } = options;
  const server = { server: cluster.server, "certificate-authority-data": base64(ca), ...serverName(cluster) };
  const token = /^Bearer (.+)$/.exec(headers["Authorization"] ?? "")?.[1];
  const user =
    token === undefined ? { "client-certificate-data": base64(cert), "client-key-data": base64(key) } : { token };
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "own", cluster: server }],
    users: [{ name: "own", user }],
    contexts: [{ name: "own", context: { cluster: "own", user: "own" } }],
    "current-context": "own",
  });
}

function serverName({ tlsServerName }: { readonly tlsServerName?: string | undefined }): object {
  return tlsServerName === undefined ? {} : { "tls-server-name": tlsServerName };
}

function base64(material: unknown): string {
  const text = Buffer.isBuffer(material) ? material : Buffer.from(typeof material === "string" ? material : "");
  return text.toString("base64");
}
