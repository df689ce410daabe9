import { annotations as annotationKeys, type TeamRole, type TenantCluster } from "@butler/api";
import type { DynamicObject, KubeObject } from "@butler/resource";
import { objectLabels, tenantNamespaceOf } from "../names.ts";

/** Machines that are pods, and some providers' helpers, need rights that are refused elsewhere. */
const podSecurity = Object.fromEntries(
  ["enforce", "audit", "warn"].map((mode) => [`pod-security.kubernetes.io/${mode}`, "privileged"]),
);

/** The namespace that holds everything a cluster is made of. */
export function namespaceObject(cluster: TenantCluster): KubeObject {
  const { name, namespace } = cluster.metadata;
  return {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: {
      name: tenantNamespaceOf(cluster),
      labels: { ...objectLabels(cluster), ...podSecurity },
      annotations: { [annotationKeys.description]: `Objects of the tenant cluster ${namespace}/${name}` },
    },
  };
}

/** Who has which role in a cluster. */
export interface RoleGrant {
  readonly role: TeamRole;
  readonly subjects: readonly { readonly kind: "User" | "Group"; readonly name: string }[];
}

/** A right in the cluster's own namespace. */
export interface AccessRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** What lets the people of a team see what their cluster is made of: a Role for each role, bound to those who have it. */
export function accessObjects(
  cluster: TenantCluster,
  grants: readonly RoleGrant[],
  rulesOf: (role: TeamRole) => readonly AccessRule[],
): KubeObject[] {
  const namespace = tenantNamespaceOf(cluster);
  const labels = objectLabels(cluster);
  const group = "rbac.authorization.k8s.io";
  return grants.flatMap(({ role, subjects }) => {
    const metadata = { name: `butler-team-${role}`, namespace, labels };
    const objects: DynamicObject[] = [
      { apiVersion: `${group}/v1`, kind: "Role", metadata, rules: rulesOf(role) },
      {
        apiVersion: `${group}/v1`,
        kind: "RoleBinding",
        metadata,
        roleRef: { apiGroup: group, kind: "Role", name: metadata.name },
        subjects: subjects.map((subject) => ({ apiGroup: group, ...subject })),
      },
    ];
    return objects;
  });
}
