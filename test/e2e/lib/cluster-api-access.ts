const group = "rbac.authorization.k8s.io";

/** What Cluster API's managers may do with the kinds of providers; installed with the providers. */
export const clusterApiAccess: readonly object[] = [
  {
    apiVersion: `${group}/v1`,
    kind: "ClusterRole",
    metadata: { name: "butler:cluster-api", labels: { "cluster.x-k8s.io/aggregate-to-manager": "true" } },
    rules: [
      {
        apiGroups: ["infrastructure.cluster.x-k8s.io", "controlplane.cluster.x-k8s.io"],
        resources: ["*"],
        verbs: ["get", "list", "watch", "create", "update", "patch", "delete"],
      },
    ],
  },
  {
    apiVersion: `${group}/v1`,
    kind: "ClusterRole",
    metadata: { name: "butler:control-planes-reader" },
    rules: [{ apiGroups: ["controlplane.cluster.x-k8s.io"], resources: ["*"], verbs: ["get", "list", "watch"] }],
  },
  {
    apiVersion: `${group}/v1`,
    kind: "ClusterRoleBinding",
    metadata: { name: "butler:kubeadm-bootstrap-reads-control-planes" },
    roleRef: { apiGroup: group, kind: "ClusterRole", name: "butler:control-planes-reader" },
    subjects: [
      {
        kind: "ServiceAccount",
        name: "capi-kubeadm-bootstrap-manager",
        namespace: "capi-kubeadm-bootstrap-system",
      },
    ],
  },
];
