import type { CertificatePair } from "./certificates.ts";

/** The used part of a kubeconfig; as JSON it is valid for every client. */
export interface Kubeconfig {
  readonly apiVersion: "v1";
  readonly kind: "Config";
  readonly clusters: readonly {
    readonly name: string;
    readonly cluster: { readonly server: string; readonly "certificate-authority-data": string };
  }[];
  readonly users: readonly {
    readonly name: string;
    readonly user: { readonly "client-certificate-data": string; readonly "client-key-data": string };
  }[];
  readonly contexts: readonly {
    readonly name: string;
    readonly context: { readonly cluster: string; readonly user: string };
  }[];
  readonly "current-context": string;
}

/** The input of a kubeconfig. */
export interface KubeconfigParts {
  readonly name: string;
  readonly user: string;
  readonly server: string;
  readonly caPem: string;
  readonly client: CertificatePair;
}

/** Builds a kubeconfig with one cluster, one user and the context that joins them. */
export function buildKubeconfig({ name, user, server, caPem, client }: KubeconfigParts): Kubeconfig {
  return {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name, cluster: { server, "certificate-authority-data": base64(caPem) } }],
    users: [
      {
        name: user,
        user: { "client-certificate-data": base64(client.cert), "client-key-data": base64(client.key) },
      },
    ],
    contexts: [{ name, context: { cluster: name, user } }],
    "current-context": name,
  };
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
