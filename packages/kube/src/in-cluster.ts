import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { KubeConfig } from "@kubernetes/client-node";
import { endpointText, InvalidInput } from "@butler/std";

/** Where a pod finds out about its cluster; everything has a default. */
export interface PodSurroundings {
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Where the kubelet puts the account's token, the cluster's authority and the pod's namespace. */
  readonly folder?: string;
}

const accountFolder = "/var/run/secrets/kubernetes.io/serviceaccount";

/**
 * The configuration of a process that runs in a pod: it asks the pod's own cluster in the name of the pod's service
 * account. Undefined outside of pods. Token and authority are named as files, which are read again as time goes by,
 * because the kubelet replaces both while the process runs.
 */
export function loadInClusterConfig({ environment = process.env, folder = accountFolder }: PodSurroundings = {}):
  KubeConfig | undefined {
  const { KUBERNETES_SERVICE_HOST: host = "", KUBERNETES_SERVICE_PORT: port = "" } = environment;
  if (host === "" || port === "") return undefined;
  const [tokenFile, caFile] = [join(folder, "token"), join(folder, "ca.crt")];
  for (const file of [tokenFile, caFile]) {
    if (existsSync(file)) continue;
    throw new InvalidInput(`this process runs in a pod without a service account: there is no ${file}`, {
      hint: "Take automountServiceAccountToken: false away from the pod, or name a kubeconfig.",
    });
  }
  const config = new KubeConfig();
  config.loadFromOptions({
    // Never in plain text, whatever the port: the token would be there for everybody to read.
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
