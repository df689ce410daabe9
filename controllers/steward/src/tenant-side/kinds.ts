import { apiVersionOf, builtinKinds, type Kind, type KubeObject } from "@butler/resource";
import { Bug } from "@butler/std";

const inGroup = (group: string) => ({
  namespaced: (kind: string, plural: string): Kind => ({ group, version: "v1", kind, plural, scope: "Namespaced" }),
  cluster: (kind: string, plural: string): Kind => ({ group, version: "v1", kind, plural, scope: "Cluster" }),
});

const core = inGroup("");
const apps = inGroup("apps");

/** The API group of roles and bindings. */
export const rbacGroup = "rbac.authorization.k8s.io";
const rbac = inGroup(rbacGroup);

/** Kinds of Kubernetes itself that Steward keeps inside tenant clusters. */
export const keptKinds = {
  ConfigMap: builtinKinds.ConfigMap,
  ServiceAccount: core.namespaced("ServiceAccount", "serviceaccounts"),
  Service: core.namespaced("Service", "services"),
  EndpointSlice: inGroup("discovery.k8s.io").namespaced("EndpointSlice", "endpointslices"),
  Deployment: apps.namespaced("Deployment", "deployments"),
  DaemonSet: apps.namespaced("DaemonSet", "daemonsets"),
  Role: rbac.namespaced("Role", "roles"),
  RoleBinding: rbac.namespaced("RoleBinding", "rolebindings"),
  ClusterRole: rbac.cluster("ClusterRole", "clusterroles"),
  ClusterRoleBinding: rbac.cluster("ClusterRoleBinding", "clusterrolebindings"),
} as const;

/** Kinds that are only read there, to decide about certificate requests. */
export const Node = core.cluster("Node", "nodes");
export const CertificateSigningRequest = inGroup("certificates.k8s.io").cluster(
  "CertificateSigningRequest",
  "certificatesigningrequests",
);

/** The kind of an object that Steward keeps in tenants. */
export function keptKindOf(object: KubeObject): Kind {
  const found = Object.values(keptKinds).find(
    (kind) => kind.kind === object.kind && apiVersionOf(kind) === object.apiVersion,
  );
  if (found === undefined) throw new Bug(`Steward keeps no ${object.apiVersion} ${object.kind} in tenants`);
  return found;
}
