import type { CertificateRequest } from "@butler/pki";
import type { PkiNeeds } from "../control-plane/pki.ts";
import type { NetworkLayout } from "./network-layout.ts";

/** The components that connect to the API server with their own kubeconfig. */
export const kubeconfigUsers = {
  kubelet: "kubelet",
  "kube-scheduler": "kube-scheduler",
  "kube-proxy": "kube-proxy",
  "kube-controller-manager": "kube-controller-manager",
} as const;

/** The certificates of a whole engine. */
export function enginePkiNeeds(layout: NetworkLayout, nodeName: string): PkiNeeds {
  const serving = (commonName: string): CertificateRequest => ({
    commonName,
    usages: ["server", "client"],
    dnsNames: ["localhost", nodeName],
    ipAddresses: ["127.0.0.1", layout.nodeAddress],
  });
  return {
    apiServerAddresses: [layout.nodeAddress, layout.apiServiceAddress],
    further: {
      "kube-controller-manager": serving("system:kube-controller-manager"),
      "kube-scheduler": serving("system:kube-scheduler"),
      "kube-proxy": { commonName: "system:kube-proxy", usages: ["client"] },
      kubelet: { commonName: `system:node:${nodeName}`, organizations: ["system:nodes"], usages: ["client"] },
      "kubelet-serving": { ...serving(`system:node:${nodeName}`), usages: ["server"] },
      // The user name to which Kubernetes binds the API server's access to kubelets.
      "apiserver-kubelet-client": { commonName: "kube-apiserver-kubelet-client", usages: ["client"] },
    },
  };
}
