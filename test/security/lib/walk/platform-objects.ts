import {
  cliAccountName,
  platformAdminNamespaceRules,
  platformAdminRoleName,
  platformAdminSubjects,
  platformGroup,
  teamGroup,
  teamNamespaceRules,
  tenantNamespaceRules,
  usersGroup,
} from "@butler/access";
import { namespaces } from "@butler/api";
import { type DynamicObject, builtinKinds, type Kind } from "@butler/resource";
import type { TestCluster } from "@butler/testkit";

const { Namespace, Role, RoleBinding, ClusterRole, ServiceAccount, ClusterRoleBinding } = builtinKinds;
const team = "payments";
const inside = "shop-11111111";
const rbacGroup = "rbac.authorization.k8s.io";

/** What an installation has made after a while: a team, the namespace of its cluster, users and a command line. */
export async function fillPlatform({ client }: TestCluster) {
  const people = ["root@example.com", "ada@example.com"];
  const groups = [
    "system:masters",
    "system:nodes",
    "system:bootstrappers",
    "system:authenticated",
    "system:serviceaccounts",
    "system:serviceaccounts:kube-system",
    usersGroup,
    platformGroup("admin"),
    platformGroup("viewer"),
    teamGroup(team, "admin"),
    teamGroup(team, "viewer"),
    "unrelated-group",
  ];
  const apply = (kind: Kind, metadata: DynamicObject["metadata"], fields: object = {}) => {
    const apiVersion = kind.group === "" ? kind.version : `${kind.group}/${kind.version}`;
    const object = { apiVersion, kind: kind.kind, metadata, ...fields } as DynamicObject;
    return client.apply(kind, object, { fieldManager: "walk", force: true });
  };
  const labels = { "app.kubernetes.io/managed-by": "butler", "butler.butlerlabs.dev/team": team };
  for (const name of [team, inside]) await apply(Namespace, { name, labels });
  const teamsGroup = { apiGroup: rbacGroup, kind: "Group", name: teamGroup(team, "admin") };
  const ada = { apiGroup: rbacGroup, kind: "User", name: "ada@example.com" };
  const bound = async (namespace: string, name: string, [rules, subjects]: [readonly object[], readonly object[]]) => {
    await apply(Role, { namespace, name, labels }, { rules });
    const roleRef = { apiGroup: rbacGroup, kind: "Role", name };
    await apply(RoleBinding, { namespace, name, labels }, { roleRef, subjects });
  };
  await bound(team, "butler-team-admin", [teamNamespaceRules("admin"), [teamsGroup, ada]]);
  const tenant = { infrastructure: ["localmachines"], kubeconfigSecrets: ["shop-kubeconfig"] };
  await bound(inside, "butler-team-admin", [tenantNamespaceRules("admin", tenant), [teamsGroup, ada]]);
  const server = { kind: "ServiceAccount", namespace: "butler-system", name: "butler-server" };
  const ofServer = [{ apiGroups: [""], resources: ["secrets"], verbs: ["get", "list", "patch"] }];
  await bound(inside, "butler-server", [ofServer, [server]]);
  const mayImpersonate = (resource: string, resourceNames: readonly string[]) => ({
    apiGroups: [""],
    resources: [resource],
    verbs: ["impersonate"],
    resourceNames,
  });
  const rules = [
    mayImpersonate("users", people),
    mayImpersonate("groups", [teamGroup(team, "admin"), teamGroup(team, "viewer")]),
  ];
  await apply(ClusterRole, { name: "butler-server-people" }, { rules });
  await bound(team, platformAdminRoleName, [platformAdminNamespaceRules, platformAdminSubjects]);
  const kubeconfig = { apiGroups: [""], resources: ["secrets"], verbs: ["get"], resourceNames: ["shop-kubeconfig"] };
  await bound(inside, platformAdminRoleName, [[kubeconfig], platformAdminSubjects]);
  const name = cliAccountName("11111111");
  await apply(ServiceAccount, { namespace: namespaces.cli, name });
  await apply(ServiceAccount, { namespace: namespaces.cliAdmins, name });
  const roleRef = { apiGroup: rbacGroup, kind: "ClusterRole", name: "butler-platform-admin" };
  const subjects = [{ kind: "ServiceAccount", namespace: namespaces.cliAdmins, name }];
  await apply(ClusterRoleBinding, { name: `${name}-platform-admin` }, { roleRef, subjects });
  return { people, groups };
}
