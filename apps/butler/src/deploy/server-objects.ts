import {
  platformAdminNamespaceRules,
  platformAdminRoleName,
  platformAdminSubjects,
  platformGroup,
  type PolicyRule,
  usersGroup,
} from "@butler/access";
import { namespaces } from "@butler/api";
import { type DynamicObject, type KubeObject, rbacGroup } from "@butler/resource";
import {
  cliAccountRules,
  platformAdminRules,
  platformViewerRules,
  serverClusterRules,
  serverSystemRules,
  terminalNamespace,
  terminalRules,
  userRules,
} from "@butler/server";
import { roleManifests, type RoleResources, selectorOf } from "./manifests.ts";

/** Namespace and image of the server. */
export interface ServerPlace {
  readonly image: string;
  readonly namespace: string;
  readonly replicas: number;
}

const name = "butler-server";
const labels = { ...selectorOf("server"), "app.kubernetes.io/managed-by": "butler" };
/** The port of the process: above 1024, because it runs as an unprivileged user. */
const port = 8080;

/**
 * It caches every object of the fleet in memory: 400 MiB were measured with 5,000 clusters, and 900 MiB with 500 live
 * clients.
 */
const resources: RoleResources = { requests: { cpu: "50m", memory: "160Mi" }, limits: { memory: "2Gi" } };

/** The ClusterRole that lists all users and groups that the server may impersonate; maintained by the controllers. */
const peopleRole = "butler-server-people";

/**
 * All objects of the server: its Deployment, its Service, its own permissions, and the permissions of the users it
 * impersonates.
 */
export function serverObjects({ image, namespace, replicas }: ServerPlace): KubeObject[] {
  return [
    ...[terminalNamespace, namespaces.cli, namespaces.cliAdmins].map(serverNamespace),
    ...roleManifests({
      role: "server",
      image,
      namespace,
      replicas,
      rules: serverClusterRules,
      namespaceRules: {
        [namespace]: serverSystemRules,
        [terminalNamespace]: terminalRules,
        [namespaces.cli]: cliAccountRules,
        [namespaces.cliAdmins]: cliAccountRules,
      },
      everyoneWorks: true,
      ports: { http: port },
      args: [`--port=${port}`],
      resources,
    }),
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name, namespace, labels },
      spec: {
        type: "ClusterIP",
        selector: selectorOf("server"),
        ports: [{ name: "http", port: 80, targetPort: port, protocol: "TCP" }],
      },
    },
    // Without rules, so that it is deleted with everything else; the controllers add them.
    { apiVersion: `${rbacGroup}/v1`, kind: "ClusterRole", metadata: { name: peopleRole, labels } },
    binding(peopleRole, [{ kind: "ServiceAccount", name, namespace }]),
    ...boundRole("butler-platform-admin", platformAdminRules, [group(platformGroup("admin"))]),
    ...boundRole("butler-platform-viewer", platformViewerRules, [group(platformGroup("viewer"))]),
    ...platformAdminSecrets(namespace),
    ...boundRole("butler-user", userRules, [
      group(usersGroup),
      ...[namespaces.cli, namespaces.cliAdmins].map((cli) => group(`system:serviceaccounts:${cli}`)),
    ]),
  ] as KubeObject[];
}

/** A namespace of the server alone. Terminal pods have no rights in this cluster, and those of command lines no pods. */
function serverNamespace(own: string): DynamicObject {
  const secured = { ...labels, "pod-security.kubernetes.io/enforce": "restricted" };
  return { apiVersion: "v1", kind: "Namespace", metadata: { name: own, labels: secured } };
}

/** The controllers bind platform administrators in the namespaces of teams and of clusters. */
function platformAdminSecrets(namespace: string): DynamicObject[] {
  const metadata = { name: platformAdminRoleName, namespace, labels };
  const roleRef = { apiGroup: rbacGroup, kind: "Role", name: metadata.name };
  const bound = { roleRef, subjects: platformAdminSubjects };
  return [
    { apiVersion: `${rbacGroup}/v1`, kind: "Role", metadata, rules: platformAdminNamespaceRules },
    { apiVersion: `${rbacGroup}/v1`, kind: "RoleBinding", metadata, ...bound },
  ];
}

function boundRole(role: string, rules: readonly PolicyRule[], subjects: readonly object[]): DynamicObject[] {
  return [
    { apiVersion: `${rbacGroup}/v1`, kind: "ClusterRole", metadata: { name: role, labels }, rules },
    binding(role, subjects),
  ];
}

function binding(role: string, subjects: readonly object[]): DynamicObject {
  return {
    apiVersion: `${rbacGroup}/v1`,
    kind: "ClusterRoleBinding",
    metadata: { name: role, labels },
    roleRef: { apiGroup: rbacGroup, kind: "ClusterRole", name: role },
    subjects,
  };
}

function group(groupName: string): object {
  return { apiGroup: rbacGroup, kind: "Group", name: groupName };
}
