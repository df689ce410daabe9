import { annotations as annotationKeys, namespaces, type TeamRole, type TenantCluster } from "@butler/api";
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
 * What Butler's server does in a cluster's namespace: it goes into the tenant for those who may, and shows and replaces
 * certificates. It has no such right anywhere else.
 */
const serverRules: readonly AccessRule[] = [
  { apiGroups: [""], resources: ["secrets"], verbs: ["get", "list", "patch"] },
];

/** Lets Butler's server in, whether or not it is there. */
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
