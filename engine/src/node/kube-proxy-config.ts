import type { NetworkLayout } from "./network-layout.ts";

/** kube-proxy's configuration. */
export function buildKubeProxyConfig(layout: NetworkLayout, { kubeconfig }: { kubeconfig: string }): object {
  return {
    apiVersion: "kubeproxy.config.k8s.io/v1alpha1",
    kind: "KubeProxyConfiguration",
    mode: "iptables",
    clientConnection: { kubeconfig },
    clusterCIDR: layout.podRange,
    bindAddress: layout.nodeAddress,
    healthzBindAddress: `${layout.nodeAddress}:10256`,
    metricsBindAddress: "127.0.0.1:10249",
    // Only the machine's initial network namespace may change the size of the conntrack table.
    conntrack: { maxPerCore: 0, min: 0 },
  };
}
