import { platformGroup, type PolicyRule, usersGroup } from "@butler/access";
import { type DynamicObject, type KubeObject, rbacGroup } from "@butler/resource";
import {
  platformAdminRules,
  platformViewerRules,
  serverClusterRules,
  serverSystemRules,
  terminalNamespace,
  terminalRules,
  userRules,
} from "@butler/server";
import { roleManifests, type RoleResources, selectorOf } from "./manifests.ts";

/** Where the server runs, and from what. */
export interface ServerPlace {
  readonly image: string;
  readonly namespace: string;
  readonly replicas: number;
}

const name = "butler-server";
const labels = { ...selectorOf("server"), "app.kubernetes.io/managed-by": "butler" };
/** The port of the process: above 1024, as it has no rights beyond those of any user. */
const port = 8080;

/** It keeps every object of the fleet in memory: with 5,000 clusters 400 MiB were measured, and 900 with 500 live clients. */
const resources: RoleResources = { requests: { cpu: "50m", memory: "160Mi" }, limits: { memory: "2Gi" } };

/** The one ClusterRole that names everybody whom the server may act as; kept by the controllers. */
const peopleRole = "butler-server-people";

/** Everything that the server is: its pods, its address, its own rights, and the rights of those it acts as. */
export function serverObjects({ image, namespace, replicas }: ServerPlace): KubeObject[] {
  return [
    terminalsNamespace(),
    ...roleManifests({
      role: "server",
      image,
      namespace,
      replicas,
      rules: serverClusterRules,
      namespaceRules: { [namespace]: serverSystemRules, [terminalNamespace]: terminalRules },
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
    // Without rules, so that it goes with everything else; the controllers put them in.
    { apiVersion: `${rbacGroup}/v1`, kind: "ClusterRole", metadata: { name: peopleRole, labels } },
    binding(peopleRole, [{ kind: "ServiceAccount", name, namespace }]),
    ...boundRole("butler-platform-admin", platformAdminRules, [group(platformGroup("admin"))]),
    ...boundRole("butler-platform-viewer", platformViewerRules, [group(platformGroup("viewer"))]),
    // The accounts of command lines are in Butler's own namespace.
    ...boundRole("butler-user", userRules, [group(usersGroup), group(`system:serviceaccounts:${namespace}`)]),
  ] as KubeObject[];
}

/** Nothing that runs in a terminal has a right here, and nobody gets in from outside. */
function terminalsNamespace(): DynamicObject {
  const own = { ...labels, "pod-security.kubernetes.io/enforce": "restricted" };
  return { apiVersion: "v1", kind: "Namespace", metadata: { name: terminalNamespace, labels: own } };
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
