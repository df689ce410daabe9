import { platformGroup, usersGroup } from "@butler/access";
import { labels, managedByButler, namespaces } from "@butler/api";
import { appliedAnnotation } from "@butler/controller";
import { terminalNamespace } from "@butler/server";
import { listOf } from "./policy.ts";

/** The namespaces that only the server writes to. */
export const serverNamespaces = [namespaces.cli, namespaces.cliAdmins, terminalNamespace];

/** Namespaces of Kubernetes and of Cluster API, whose accounts lead to all permissions. */
export const foreignNamespaces = [
  "kube-system",
  "kube-public",
  "kube-node-lease",
  "capi-system",
  "capi-kubeadm-bootstrap-system",
  "capi-kubeadm-control-plane-system",
  "capk-system",
  "capx-system",
  "cert-manager",
];

/** CEL: whether the user is one of Butler's accounts, or someone for whom its server acts. */
export function isOfButler(namespace: string): string {
  const groups = [
    `system:serviceaccounts:${namespace}`,
    ...serverNamespaces.map((own) => `system:serviceaccounts:${own}`),
    usersGroup,
    platformGroup("admin"),
    platformGroup("viewer"),
  ];
  return `request.userInfo.groups.exists(g, g in ${listOf(groups)} || g.startsWith('butler:team:'))`;
}

/**
 * CEL: whether the controllers created a namespace. Users may remove the label; the annotation is on everything that a
 * controller applies.
 */
export function isMadeByButler(namespace: string): string {
  return (
    `(${namespace}.metadata.?labels[?'${labels.managedBy}'].orValue('') == '${managedByButler}' || ` +
    `${namespace}.metadata.?annotations.orValue({}).exists(a, a.startsWith('${appliedAnnotation("")}')))`
  );
}

/** CEL: whether the user is the account of a component. */
export function isComponent(namespace: string, component: string): string {
  return `request.userInfo.username == 'system:serviceaccount:${namespace}:butler-${component}'`;
}
