import { LocalCluster, LocalMachine, LocalMachineTemplate } from "@butler/api";
import type { KubeObject } from "@butler/resource";

const kinds = [LocalCluster, LocalMachine, LocalMachineTemplate];
const verbs = ["get", "list", "watch", "create", "update", "patch", "delete"];

/** Cluster API's core manager takes this role on by its label; it lets it make machines and watch over clusters. */
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
    // Cluster API makes itself an owner that blocks deletion, which Kubernetes allows only to who may set finalizers.
    {
      apiGroups: [LocalCluster.group],
      resources: kinds.map(({ plural }) => `${plural}/finalizers`),
      verbs: ["update"],
    },
  ],
};

/** What lets Cluster API's own controllers work with the provider's kinds; applied with the installation. */
export const localProviderClusterApiAccess: readonly KubeObject[] = [managerRole];
