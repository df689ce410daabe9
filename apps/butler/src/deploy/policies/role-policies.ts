import { platformGroup } from "@butler/access";
import { namespaces } from "@butler/api";
import { rbacGroup } from "@butler/resource";
import { isComponent, isOfButler } from "./identities.ts";
import { listOf, objectName, type PolicyInput } from "./policy.ts";

/** ServiceAccounts of command lines, as the only subject. */
const isCliSubject =
  "variables.subjects.size() == 1 && variables.subjects.all(s, s.kind == 'ServiceAccount' && " +
  `s.namespace in ${listOf([namespaces.cli, namespaces.cliAdmins])} && s.name.startsWith('butler-cli-'))`;

/** Users and groups of teams: no ServiceAccounts, and no reserved names. */
const arePeople =
  "variables.subjects.all(s, s.kind in ['User', 'Group'] && !s.name.startsWith('system:') && " +
  "!s.name.startsWith('butler:platform:'))";

const arePlatformAdmins =
  "variables.subjects.all(s, s.kind == 'Group' && " +
  `s.name in ${listOf([platformGroup("admin"), `system:serviceaccounts:${namespaces.cliAdmins}`])})`;

const teamRoleNames = ["butler-team-viewer", "butler-team-operator", "butler-team-admin"];

const variables = {
  written: "request.operation == 'DELETE' ? oldObject : object",
  name: objectName,
  subjects: listAt("subjects"),
  rules: listAt("rules"),
};

/** The rules and subjects of an object without any are null. */
function listAt(field: string): string {
  return `!has(variables.written.${field}) || variables.written.${field} == null ? [] : variables.written.${field}`;
}

/** Every rule satisfies the condition, and none is for a URL. */
function everyRule(condition: string): string {
  return `variables.rules.all(r, has(r.apiGroups) && has(r.resources) && ${condition})`;
}

const names = "r.?resourceNames.orValue([])";

/** The rules that a Role in the namespace of a team or cluster may have. */
const harmlessRules = everyRule(
  "r.verbs.all(v, v in ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete']) && " +
    "!r.apiGroups.exists(g, g.contains('*') || g == 'rbac.authorization.k8s.io') && " +
    "(r.apiGroups.exists(g, g == '') ? r.resources.all(x, x in ['events', 'secrets']) : " +
    "r.resources.all(x, !x.contains('*') && !x.contains('/')))",
);

const peopleRules = everyRule(
  `r.apiGroups == [''] && r.verbs == ['impersonate'] && ${names}.size() > 0 && ` +
    `(r.resources == ['users'] ? ${names}.all(n, n.contains('@') && !n.startsWith('system:')) : ` +
    `r.resources == ['groups'] && ${names}.all(n, n.startsWith('butler:team:')))`,
);

const teamObjectRules = everyRule(
  `r.apiGroups == ['butler.butlerlabs.dev'] && r.resources == ['teams'] && ${names}.size() == 1 && ` +
    "r.verbs.all(v, v in ['get', 'patch', 'update'])",
);

/** No component of Butler writes roles beyond this list, whatever RBAC would let it grant. */
export function rolePolicies(namespace: string): PolicyInput[] {
  const [isController, isServer] = [isComponent(namespace, "controller"), isComponent(namespace, "server")];
  const when = { "user-of-butler": isOfButler(namespace) };
  const serverSubject =
    "variables.subjects.size() == 1 && variables.subjects.all(s, s.kind == 'ServiceAccount' && " +
    `s.name == 'butler-server' && s.namespace == '${namespace}')`;
  const operations = ["CREATE", "UPDATE", "DELETE"] as const;
  const common = { when, variables };
  const on = (...resources: string[]) => [{ groups: [rbacGroup], resources, operations }];
  const isDeletion = "request.operation == 'DELETE'";
  const teamObjectName = "variables.name.startsWith('butler:team:')";
  return [
    {
      ...common,
      name: "cluster-roles",
      rules: on("clusterroles"),
      validations: [
        {
          expression: `${isController} && (variables.name == 'butler-server-people' ? !(${isDeletion}) : ${teamObjectName})`,
          message: "Butler may only write ClusterRoles for teams, and the list of users for its server.",
        },
        {
          expression: `${isDeletion} || (variables.name == 'butler-server-people' ? ${peopleRules} : ${teamObjectRules})`,
          message: "This ClusterRole may not grant these permissions.",
        },
        {
          expression:
            `${isDeletion} || (!has(object.aggregationRule) && ` +
            "!object.metadata.?labels.orValue({}).exists(l, l.startsWith('rbac.authorization.k8s.io/')))",
          message: "Butler may not write aggregated ClusterRoles.",
        },
      ],
    },
    {
      ...common,
      name: "cluster-role-bindings",
      rules: on("clusterrolebindings"),
      validations: [
        {
          expression: `(${isController} && ${teamObjectName}) || (${isServer} && variables.name.startsWith('butler-cli-'))`,
          message: "Butler may only write ClusterRoleBindings for teams and CLI sign-ins.",
        },
        {
          expression:
            `${isDeletion} || object.roleRef.kind == 'ClusterRole' && (${isController} ? ` +
            `object.roleRef.name == variables.name && ${arePeople} : ` +
            `object.roleRef.name in ['butler-platform-admin', 'butler-platform-viewer'] && ${isCliSubject})`,
          message: "This ClusterRoleBinding may not bind this role to these subjects.",
        },
      ],
    },
    {
      ...common,
      name: "roles",
      rules: on("roles"),
      validations: [
        {
          expression:
            `${isController} && request.namespace != '${namespace}' && ` +
            `variables.name in ${listOf([...teamRoleNames, "butler-platform-admin", "butler-server"])}`,
          message: "Butler may only write Roles for teams, platform administrators and its server.",
        },
        { expression: `${isDeletion} || ${harmlessRules}`, message: "This Role may not grant these permissions." },
      ],
    },
    {
      ...common,
      name: "role-bindings",
      rules: on("rolebindings"),
      validations: [
        {
          expression: `(${isController} || (${isServer} && variables.name.startsWith('butler-cli-'))) && request.namespace != '${namespace}'`,
          message: "Butler may only write RoleBindings for teams, clusters and CLI sign-ins.",
        },
        {
          expression:
            `${isDeletion} || object.roleRef.kind == 'Role' && (${isServer} ? ` +
            `object.roleRef.name in ${listOf(teamRoleNames)} && ${isCliSubject} : ` +
            `object.roleRef.name == variables.name && (variables.name == 'butler-server' ? ${serverSubject} : ` +
            `variables.name == 'butler-platform-admin' ? ${arePlatformAdmins} : ` +
            `variables.name in ${listOf(teamRoleNames)} && ${arePeople}))`,
          message: "This RoleBinding may not bind this Role to these subjects.",
        },
      ],
    },
  ];
}
