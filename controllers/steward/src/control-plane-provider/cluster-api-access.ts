import { StewardControlPlane, StewardControlPlaneTemplate } from "@butler/api";
import type { PolicyRule } from "@butler/controller";
import type { KubeObject } from "@butler/resource";

const rbac = { apiGroup: "rbac.authorization.k8s.io", apiVersion: "rbac.authorization.k8s.io/v1" } as const;
const managed = { "app.kubernetes.io/managed-by": "butler" } as const;
const readVerbs = ["get", "list", "watch"] as const;
const { group } = StewardControlPlane;

/** A role of the management cluster. */
export interface ClusterRole extends KubeObject {
  readonly rules: readonly PolicyRule[];
}

/** The account of Cluster API's kubeadm bootstrap provider in its own installation. */
const bootstrapProvider = {
  kind: "ServiceAccount",
  namespace: "capi-kubeadm-bootstrap-system",
  name: "capi-kubeadm-bootstrap-manager",
} as const;

/**
 * The role that Cluster API's core aggregates by label, as its contract requires of providers of other groups
 * (contract, "API group").
 */
const managerRole: ClusterRole = {
  apiVersion: rbac.apiVersion,
  kind: "ClusterRole",
  metadata: {
    name: "steward-cluster-api-manager",
    labels: { ...managed, "cluster.x-k8s.io/aggregate-to-manager": "true" },
  },
  rules: [
    {
      apiGroups: [group],
      resources: [StewardControlPlane.plural],
      verbs: [...readVerbs, "create", "delete", "patch", "update"],
    },
    { apiGroups: [group], resources: [StewardControlPlaneTemplate.plural], verbs: [...readVerbs, "patch", "update"] },
  ],
};

const readerRole: ClusterRole = {
  apiVersion: rbac.apiVersion,
  kind: "ClusterRole",
  metadata: { name: "steward-control-plane-reader", labels: managed },
  rules: [{ apiGroups: [group], resources: [StewardControlPlane.plural], verbs: readVerbs }],
};

/** The bootstrap provider reads the version of control planes, and its own role is not aggregated. */
const readerBinding = {
  apiVersion: rbac.apiVersion,
  kind: "ClusterRoleBinding",
  metadata: { name: "steward-control-plane-reader-kubeadm-bootstrap", labels: managed },
  roleRef: { apiGroup: rbac.apiGroup, kind: "ClusterRole", name: readerRole.metadata.name },
  subjects: [bootstrapProvider],
} as const;

/** Permissions of Cluster API's own controllers on Steward's control planes; applied by the installation. */
export const clusterApiAccess: readonly KubeObject[] = [managerRole, readerRole, readerBinding];
