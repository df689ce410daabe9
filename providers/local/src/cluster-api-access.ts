import { LocalCluster, LocalMachine, LocalMachineTemplate } from "@butler/api";
import type { KubeObject } from "@butler/resource";

const kinds = [LocalCluster, LocalMachine, LocalMachineTemplate];
const verbs = ["get", "list", "watch", "create", "update", "patch", "delete"];

/** Cluster API's core manager aggregates this role by its label; it allows it to create machines and watch clusters. */
const managerRole = {
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "ClusterRole",
  metadata: {
    name: "butler-local-provider-cluster-api-manager",
    labels: { "app.kubernetes.io/managed-by": "butler", "cluster.x-k8s.io/aggregate-to-manager": "true" },
  },
  rules: [
    { apiGroups: [LocalCluster.group], resources: kinds.map(({ plural }) => plural), verbs },
    {
      apiGroups: [LocalCluster.group],
      resources: [LocalCluster, LocalMachine].map(({ plural }) => `${plural}/status`),
      verbs: ["get", "patch", "update"],
    },
    // Cluster API sets owner references that block deletion, which Kubernetes allows only with permission to set
    // finalizers.
    {
      apiGroups: [LocalCluster.group],
      resources: kinds.map(({ plural }) => `${plural}/finalizers`),
      verbs: ["update"],
    },
  ],
};

/** The permissions of Cluster API's own controllers on the provider's kinds; applied with the installation. */
export const localProviderClusterApiAccess: readonly KubeObject[] = [managerRole];
