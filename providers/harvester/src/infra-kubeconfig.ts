import { readTenantKubeconfig } from "@butler/kube";
import { InvalidInput } from "@butler/std";

/** What is wrong with the connection settings of Harvester, as sentences. */
export function kubeconfigFaults(text: string, endpoint: string | undefined): string[] {
  try {
    infraKubeconfig(text, endpoint);
    return [];
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    return [error.hint === undefined ? error.message : `${error.message}. ${error.hint}`];
  }
}

/**
 * The kubeconfig for CAPK to connect to Harvester, rebuilt from known fields of the given one: CAPK runs for every
 * team, so no kubeconfig may make it run a program or read a file. The endpoint replaces its server.
 */
export function infraKubeconfig(text: string, endpoint: string | undefined): string {
  const config = readTenantKubeconfig(text);
  const cluster = config.getCurrentCluster();
  const user = config.getCurrentUser();
  const server = endpoint === undefined ? cluster?.server : checkedEndpoint(endpoint);
  const name = "harvester";
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      {
        name,
        cluster: {
          server,
          "certificate-authority-data": cluster?.caData,
          "tls-server-name": cluster?.tlsServerName,
        },
      },
    ],
    users: [
      {
        name,
        user: {
          token: user?.token,
          "client-certificate-data": user?.certData,
          "client-key-data": user?.keyData,
        },
      },
    ],
    contexts: [{ name, context: { cluster: name, user: name } }],
    "current-context": name,
  });
}

function checkedEndpoint(endpoint: string): string {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  const isPlain = url !== undefined && url.protocol === "https:" && url.username === "" && url.password === "";
  if (isPlain && url.search === "" && url.hash === "") return endpoint;
  throw new InvalidInput(`spec.harvester.endpoint in the ProviderConfig is not an https URL`, {
    hint: "Use a URL such as https://harvester.example.com, or omit the field to use the server URL in the kubeconfig.",
  });
}
