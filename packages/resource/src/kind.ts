/** Group, version and resource name of a kind, built-in or custom. */
export interface Kind {
  /** The API group; the empty string for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly scope: "Namespaced" | "Cluster";
}

/** `group/version`, or `version` alone for the core group. */
export function apiVersionOf({ group, version }: Pick<Kind, "group" | "version">): string {
  return group === "" ? version : `${group}/${version}`;
}

/** The kind as one word for maps, logs and metrics: `tenantclusters.butler.butlerlabs.dev`. */
export function kindId({ group, plural }: Pick<Kind, "group" | "plural">): string {
  return group === "" ? plural : `${plural}.${group}`;
}

const inGroup = (group: string, version = "v1") => ({
  namespaced: (kind: string, plural: string): Kind => ({ group, version, kind, plural, scope: "Namespaced" }),
  cluster: (kind: string, plural: string): Kind => ({ group, version, kind, plural, scope: "Cluster" }),
});

/** The API group of roles and bindings. */
export const rbacGroup = "rbac.authorization.k8s.io";

const core = inGroup("");
const apps = inGroup("apps");
const networking = inGroup("networking.k8s.io");
const rbac = inGroup(rbacGroup);

/** Kinds of Kubernetes itself that Butler reads or writes. */
export const builtinKinds = {
  Namespace: core.cluster("Namespace", "namespaces"),
  Node: core.cluster("Node", "nodes"),
  Pod: core.namespaced("Pod", "pods"),
  Secret: core.namespaced("Secret", "secrets"),
  ConfigMap: core.namespaced("ConfigMap", "configmaps"),
  Service: core.namespaced("Service", "services"),
  ServiceAccount: core.namespaced("ServiceAccount", "serviceaccounts"),
  Event: core.namespaced("Event", "events"),
  Deployment: apps.namespaced("Deployment", "deployments"),
  StatefulSet: apps.namespaced("StatefulSet", "statefulsets"),
  DaemonSet: apps.namespaced("DaemonSet", "daemonsets"),
  PodDisruptionBudget: inGroup("policy").namespaced("PodDisruptionBudget", "poddisruptionbudgets"),
  NetworkPolicy: networking.namespaced("NetworkPolicy", "networkpolicies"),
  Ingress: networking.namespaced("Ingress", "ingresses"),
  EndpointSlice: inGroup("discovery.k8s.io").namespaced("EndpointSlice", "endpointslices"),
  Role: rbac.namespaced("Role", "roles"),
  RoleBinding: rbac.namespaced("RoleBinding", "rolebindings"),
  ClusterRole: rbac.cluster("ClusterRole", "clusterroles"),
  ClusterRoleBinding: rbac.cluster("ClusterRoleBinding", "clusterrolebindings"),
  StorageClass: inGroup("storage.k8s.io").cluster("StorageClass", "storageclasses"),
  CertificateSigningRequest: inGroup("certificates.k8s.io").cluster(
    "CertificateSigningRequest",
    "certificatesigningrequests",
  ),
  Lease: inGroup("coordination.k8s.io").namespaced("Lease", "leases"),
  CustomResourceDefinition: inGroup("apiextensions.k8s.io").cluster(
    "CustomResourceDefinition",
    "customresourcedefinitions",
  ),
} as const;
