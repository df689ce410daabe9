import { annotations as annotationKeys, namespaces, type TeamRole, type TenantCluster } from "@butler/api";
import type { DynamicObject, KubeObject } from "@butler/resource";
import { objectLabels, tenantNamespaceOf } from "../names.ts";

/** Machines that are pods, and some providers' helpers, need privileges that are denied elsewhere. */
const podSecurity = Object.fromEntries(
  ["enforce", "audit", "warn"].map((mode) => [`pod-security.kubernetes.io/${mode}`, "privileged"]),
);

/** The namespace of all objects of a cluster. */
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

/** A role in a cluster and its subjects. */
export interface RoleGrant {
  readonly role: TeamRole;
  readonly subjects: readonly { readonly kind: "User" | "Group"; readonly name: string }[];
}

/** A permission in the cluster's own namespace. */
export interface AccessRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** Lets the members of a team see the objects of their cluster: a Role for each role, bound to its subjects. */
export function accessObjects(
  cluster: TenantCluster,
  grants: readonly RoleGrant[],
  rulesOf: (role: TeamRole) => readonly AccessRule[],
): KubeObject[] {
  return grants.flatMap(({ role, subjects }) =>
    boundRole(cluster, {
      name: `butler-team-${role}`,
      rules: rulesOf(role),
      subjects: subjects.map((subject) => ({ apiGroup: group, ...subject })),
    }),
  );
}

const group = "rbac.authorization.k8s.io";

/**
 * The permissions of Butler's server in a cluster's namespace: it connects to the tenant for authorized users, and
 * shows and rotates certificates. It has no such permission anywhere else.
 */
const serverRules: readonly AccessRule[] = [
  { apiGroups: [""], resources: ["secrets"], verbs: ["get", "list", "patch"] },
];

/** Grants Butler's server access, whether or not it is installed. */
export function serverAccess(cluster: TenantCluster): KubeObject[] {
  const name = "butler-server";
  const subjects = [{ kind: "ServiceAccount", name, namespace: namespaces.system }];
  return boundRole(cluster, { name, rules: serverRules, subjects });
}

function boundRole(
  cluster: TenantCluster,
  { name, rules, subjects }: { name: string; rules: readonly AccessRule[]; subjects: readonly object[] },
): DynamicObject[] {
  const metadata = { name, namespace: tenantNamespaceOf(cluster), labels: objectLabels(cluster) };
  return [
    { apiVersion: `${group}/v1`, kind: "Role", metadata, rules },
    {
      apiVersion: `${group}/v1`,
      kind: "RoleBinding",
      metadata,
      roleRef: { apiGroup: group, kind: "Role", name },
      subjects,
    },
  ];
}
