import { type DynamicObject, rbacGroup } from "@butler/resource";
import { foreignNamespaces, isComponent, isMadeByButler, isOfButler, serverNamespaces } from "./identities.ts";
import { listOf, objectName, type PolicyInput, policyObjects } from "./policy.ts";
import { rolePolicies } from "./role-policies.ts";
import { secretPolicies } from "./secret-policies.ts";
import { workloadPolicy } from "./workload-policy.ts";

const writes = ["CREATE", "UPDATE", "DELETE"] as const;
const everyOperation = [...writes, "CONNECT"] as const;

/** Namespaces that Butler leaves alone, or that one component alone writes to. */
function placePolicies(namespace: string): PolicyInput[] {
  const when = { "user-of-butler": isOfButler(namespace) };
  const everything = {
    groups: ["*"],
    resources: ["*/*"],
    scope: "Namespaced",
    operations: everyOperation,
  } as const;
  const isServer = isComponent(namespace, "server");
  const ownWorkloads = ["services", "deployments", "statefulsets", "networkpolicies", "poddisruptionbudgets"];
  return [
    {
      name: "foreign-namespaces",
      rules: [everything],
      namespaces: foreignNamespaces,
      when,
      validations: [
        { expression: "false", message: "Butler must not change objects in the namespaces of Kubernetes." },
      ],
    },
    {
      name: "server-namespaces",
      rules: [everything],
      namespaces: serverNamespaces,
      when,
      validations: [{ expression: isServer, message: "Only Butler's server may change objects in this namespace." }],
    },
    {
      name: "own-components",
      rules: [{ groups: ["", "apps", "networking.k8s.io", "policy"], resources: ownWorkloads, operations: writes }],
      namespaces: [namespace],
      when,
      variables: { name: objectName },
      validations: [
        {
          expression: "!variables.name.startsWith('butler-')",
          message: "Butler's components must not change each other; upgrade the Helm release instead.",
        },
      ],
    },
    {
      name: "controller-places",
      rules: [
        { groups: [""], resources: ["secrets"], operations: writes },
        { groups: [rbacGroup], resources: ["roles", "rolebindings"], operations: writes },
      ],
      when: { controller: isComponent(namespace, "controller") },
      validations: [
        {
          expression: `request.namespace == '${namespace}' || ${isMadeByButler("namespaceObject")}`,
          message: "Butler's controller may only write to namespaces that it created.",
        },
      ],
    },
    {
      name: "namespaces",
      rules: [{ groups: [""], resources: ["namespaces"], operations: writes }],
      when,
      variables: { name: objectName },
      validations: [
        {
          expression: `!(variables.name in ${listOf(["default", namespace, ...foreignNamespaces, ...serverNamespaces])})`,
          message: "Butler may not change this namespace.",
        },
        {
          expression: `request.operation == 'CREATE' || ${isMadeByButler("oldObject")}`,
          message: "Butler may only change namespaces that it created.",
        },
      ],
    },
  ];
}

/** Who may create and use ServiceAccounts: the server, those of command lines. */
function accountPolicy(namespace: string): PolicyInput {
  const cli = serverNamespaces.filter((name) => name.startsWith("butler-cli"));
  return {
    name: "accounts",
    rules: [{ groups: [""], resources: ["serviceaccounts", "serviceaccounts/token"], operations: writes }],
    when: { "user-of-butler": isOfButler(namespace) },
    variables: { name: `has(request.subResource) && request.subResource == 'token' ? request.name : (${objectName})` },
    validations: [
      {
        expression:
          `${isComponent(namespace, "server")} && variables.name.startsWith('butler-cli-') && ` +
          // Accounts that an earlier version created are in Butler's own namespace.
          `(request.namespace in ${listOf(cli)} || (request.operation == 'DELETE' && request.namespace == '${namespace}'))`,
        message: "Butler may only write ServiceAccounts of CLI sign-ins, and request tokens for these only.",
      },
    ],
  };
}

/**
 * Limits for Butler's own accounts and for everyone its server acts for, which hold even if RBAC would allow more. They
 * are what prevents that a compromised component becomes an administrator of the management cluster (ADR 30).
 */
export function admissionPolicies(namespace: string): DynamicObject[] {
  return [
    ...placePolicies(namespace),
    accountPolicy(namespace),
    ...secretPolicies(namespace),
    ...rolePolicies(namespace),
    workloadPolicy(namespace),
  ].flatMap(policyObjects);
}
