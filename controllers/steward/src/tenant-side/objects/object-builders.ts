import { apiVersionOf, type DynamicObject, type Kind, type ObjectKey, rbacGroup } from "@butler/resource";
import { stringify } from "yaml";
import { componentLabel, projectLabels, stewardDomain } from "../../names.ts";
import { keptKinds } from "../kinds.ts";

/** A digest of the data that Steward wrote. An object with this annotation is left alone once its data differ. */
export const writtenDataAnnotation = `${stewardDomain}/written-data`;

/** The namespaces that every cluster has from the start. */
export const systemNamespace = "kube-system";
export const publicNamespace = "kube-public";

/** The component that an object belongs to. */
export type Component = "cluster-info" | "kubeadm-config" | "kubelet-config" | "bootstrap" | "coredns" | "kube-proxy";

/** The content of an object besides its kind. */
export interface ObjectParts {
  readonly component: Component;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** A desired object in a tenant. */
export function keptObject(kind: Kind, { name, namespace }: ObjectKey, parts: ObjectParts): DynamicObject {
  const labels = { ...parts.labels, ...projectLabels, [componentLabel]: parts.component };
  return {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      labels,
      ...(parts.annotations === undefined ? {} : { annotations: { ...parts.annotations } }),
    },
    ...parts.body,
  };
}

/** The subject of a role binding. */
export type Subject = { readonly group: string } | { readonly user: string } | { readonly serviceAccount: string };

/** One rule of a role. */
export interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** A Role when it has a namespace, else a ClusterRole. */
export function role(component: Component, key: ObjectKey, rules: readonly Rule[]): DynamicObject {
  const kind = key.namespace === undefined ? keptKinds.ClusterRole : keptKinds.Role;
  return keptObject(kind, key, { component, body: { rules } });
}

/** The binding of a role of the same scope; by default the role that has the binding's own name. */
export function binding(
  component: Component,
  key: ObjectKey & { readonly role?: string },
  subjects: readonly Subject[],
): DynamicObject {
  const isLocal = key.namespace !== undefined;
  const roleRef = { apiGroup: rbacGroup, kind: isLocal ? "Role" : "ClusterRole", name: key.role ?? key.name };
  const kind = isLocal ? keptKinds.RoleBinding : keptKinds.ClusterRoleBinding;
  return keptObject(kind, key, { component, body: { roleRef, subjects: subjects.map(subjectBody) } });
}

function subjectBody(subject: Subject): Record<string, string> {
  if ("group" in subject) return { apiGroup: rbacGroup, kind: "Group", name: subject.group };
  if ("user" in subject) return { apiGroup: rbacGroup, kind: "User", name: subject.user };
  return { kind: "ServiceAccount", name: subject.serviceAccount, namespace: systemNamespace };
}

/** YAML with sorted keys: equal values give equal text. */
export function yamlText(value: unknown): string {
  return stringify(value, { sortMapEntries: true, lineWidth: 0 });
}
