import { apiVersionOf, builtinKinds, type Kind, type KubeObject } from "@butler/resource";
import { Bug } from "@butler/std";

/** Built-in kinds that Steward manages in tenant clusters. */
export const keptKinds = {
  ConfigMap: builtinKinds.ConfigMap,
  ServiceAccount: builtinKinds.ServiceAccount,
  Service: builtinKinds.Service,
  EndpointSlice: builtinKinds.EndpointSlice,
  Deployment: builtinKinds.Deployment,
  DaemonSet: builtinKinds.DaemonSet,
  Role: builtinKinds.Role,
  RoleBinding: builtinKinds.RoleBinding,
  ClusterRole: builtinKinds.ClusterRole,
  ClusterRoleBinding: builtinKinds.ClusterRoleBinding,
} as const;

/** Kinds that are only read, to approve certificate requests. */
export const { Node, CertificateSigningRequest } = builtinKinds;

/** The kind of an object that Steward manages in tenants. */
export function keptKindOf(object: KubeObject): Kind {
  const found = Object.values(keptKinds).find(
    (kind) => kind.kind === object.kind && apiVersionOf(kind) === object.apiVersion,
  );
  if (found === undefined) throw new Bug(`Steward does not manage ${object.apiVersion} ${object.kind} in tenants`);
  return found;
}
