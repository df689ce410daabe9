import type { DynamicObject } from "@butler/resource";
import { parseIpAddress } from "@butler/std";

/**
 * The endpoints of the `kubernetes` Service inside the tenant. API servers would reconcile them, but all replicas
 * advertise one address, and each that stops would remove it for the others for ten seconds.
 */
export function kubernetesEndpoints(address: string, port: number): DynamicObject[] {
  const labels = {
    "steward.butlerlabs.dev/project": "steward",
    "steward.butlerlabs.dev/component": "kubernetes-endpoints",
  };
  const metadata = { name: "kubernetes", namespace: "default" };
  const ports = [{ name: "https", port, protocol: "TCP" }];
  return [
    {
      apiVersion: "discovery.k8s.io/v1",
      kind: "EndpointSlice",
      metadata: { ...metadata, labels: { ...labels, "kubernetes.io/service-name": "kubernetes" } },
      addressType: parseIpAddress(address)?.family === 6 ? "IPv6" : "IPv4",
      endpoints: [{ addresses: [address], conditions: { ready: true } }],
      ports,
    },
  ];
}
