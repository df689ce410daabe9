import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { KubeConfig } from "@kubernetes/client-node";
import { endpointText, InvalidInput } from "@butler/std";

/** Where a pod reads its cluster configuration; all have defaults. */
export interface PodSurroundings {
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The directory with the service account token, the cluster CA and the namespace of the pod. */
  readonly folder?: string;
}

const accountFolder = "/var/run/secrets/kubernetes.io/serviceaccount";

/**
 * The in-cluster configuration of a process in a pod, with the pod's service account. Undefined outside of pods. Token
 * and CA are referenced as files, which are read again periodically, because the kubelet rotates both while the process
 * runs.
 */
export function loadInClusterConfig({ environment = process.env, folder = accountFolder }: PodSurroundings = {}):
  KubeConfig | undefined {
  const { KUBERNETES_SERVICE_HOST: host = "", KUBERNETES_SERVICE_PORT: port = "" } = environment;
  if (host === "" || port === "") return undefined;
  const [tokenFile, caFile] = [join(folder, "token"), join(folder, "ca.crt")];
  for (const file of [tokenFile, caFile]) {
    if (existsSync(file)) continue;
    throw new InvalidInput(`this process runs in a pod without a service account: ${file} not found`, {
      hint: "Remove automountServiceAccountToken: false from the pod, or specify a kubeconfig.",
    });
  }
  const config = new KubeConfig();
  config.loadFromOptions({
    // Never in plain text, whatever the port: the token would be exposed.
    clusters: [{ name: "pod", server: `https://${endpointText({ host, port })}`, caFile }],
    users: [{ name: "pod", authProvider: { name: "tokenFile", config: { tokenFile } } }],
    contexts: [{ name: "pod", cluster: "pod", user: "pod", namespace: readNamespace(folder) }],
    currentContext: "pod",
  });
  return config;
}

function readNamespace(folder: string): string | undefined {
  const file = join(folder, "namespace");
  return existsSync(file) ? readFileSync(file, "utf8").trim() : undefined;
}
