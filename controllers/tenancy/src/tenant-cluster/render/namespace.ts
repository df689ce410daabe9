import { platformAdminRoleName, platformAdminSubjects, type PolicyRule, tenantNamespaceRules } from "@butler/access";
import { annotations as annotationKeys, labels, namespaces, type TenantCluster } from "@butler/api";
import { kubeconfigSecretName } from "@butler/api-external";
import { infrastructureResources, type MachineProvider } from "@butler/provider";
import type { DynamicObject, KubeObject } from "@butler/resource";
import { tenantNamespaceBindings } from "../../team/index.ts";
import { objectLabels, tenantNamespaceOf } from "../names.ts";
import type { Observed } from "../observed.ts";

/** The namespace of all objects of a cluster. Only a provider whose machines are pods needs more than restricted ones. */
export function namespaceObject(
  cluster: TenantCluster,
  { podSecurity }: Pick<MachineProvider, "podSecurity">,
): KubeObject {
  const { name, namespace } = cluster.metadata;
  const levels = ["enforce", "audit", "warn"].map((mode) => [`pod-security.kubernetes.io/${mode}`, podSecurity]);
  return {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: {
      name: tenantNamespaceOf(cluster),
      labels: { ...objectLabels(cluster), ...Object.fromEntries(levels) },
      annotations: { [annotationKeys.description]: `Objects of tenant cluster ${namespace}/${name}` },
    },
  };
}

/**
 * Lets the members of a team see the objects of their cluster: a Role for each role, bound to its subjects. Admins also
 * get the administrator's kubeconfig.
 */
export function accessObjects(
  { cluster, team }: Pick<Observed, "cluster" | "team">,
  machineProviders: readonly MachineProvider[],
): KubeObject[] {
  if (team === undefined) return [];
  const input = {
    infrastructure: infrastructureResources(machineProviders),
    kubeconfigSecrets: [kubeconfigSecretName(cluster.metadata.name)],
  };
  return tenantNamespaceBindings(team, cluster.metadata.labels?.[labels.environment]).flatMap(({ role, subjects }) =>
    boundRole(cluster, {
      name: `butler-team-${role}`,
      rules: tenantNamespaceRules(role, input),
      subjects,
    }),
  );
}

const group = "rbac.authorization.k8s.io";

/**
 * The permissions of Butler's server in a cluster's namespace: it connects to the tenant for authorized users, and
 * shows and rotates certificates. It has no such permission anywhere else.
 */
const serverRules: readonly PolicyRule[] = [
  { apiGroups: [""], resources: ["secrets"], verbs: ["get", "list", "patch"] },
];

/**
 * Platform administrators get the administrator's kubeconfig of every cluster, also without a team. Nothing else lets
 * them read Secrets here.
 */
export function platformAdminAccess(cluster: TenantCluster): KubeObject[] {
  const resourceNames = [kubeconfigSecretName(cluster.metadata.name)];
  const rules = [{ apiGroups: [""], resources: ["secrets"], verbs: ["get"], resourceNames }];
  return boundRole(cluster, { name: platformAdminRoleName, rules, subjects: platformAdminSubjects });
}

/** Grants Butler's server access, whether or not it is installed. */
export function serverAccess(cluster: TenantCluster): KubeObject[] {
  const name = "butler-server";
  const subjects = [{ kind: "ServiceAccount", name, namespace: namespaces.system }];
  return boundRole(cluster, { name, rules: serverRules, subjects });
}

function boundRole(
  cluster: TenantCluster,
  { name, rules, subjects }: { name: string; rules: readonly PolicyRule[]; subjects: readonly object[] },
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
