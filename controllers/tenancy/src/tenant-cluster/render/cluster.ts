import { StewardControlPlane } from "@butler/api";
import { Cluster } from "@butler/api-external";
import type { ClusterInput, MachineProvider } from "@butler/provider";
import { apiVersionOf } from "@butler/resource";

/** Cluster API's Cluster, which connects control plane and infrastructure. */
export function clusterObject(input: ClusterInput, { clusterKind }: MachineProvider): Cluster {
  const { cluster, namespace, labels, annotations } = input;
  const { name } = cluster.metadata;
  const { podCIDR, serviceCIDR } = cluster.spec.networking;
  return {
    apiVersion: apiVersionOf(Cluster),
    kind: Cluster.kind,
    metadata: { name, namespace, labels: { ...labels }, annotations: { ...annotations } },
    spec: {
      paused: cluster.spec.paused,
      clusterNetwork: { pods: { cidrBlocks: [podCIDR] }, services: { cidrBlocks: [serviceCIDR] } },
      controlPlaneRef: { apiGroup: StewardControlPlane.group, kind: StewardControlPlane.kind, name },
      infrastructureRef: { apiGroup: clusterKind.group, kind: clusterKind.kind, name },
    },
  };
}
