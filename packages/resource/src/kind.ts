/** What the API server needs to know to find objects of a kind, whoever defined the kind. */
export interface Kind {
  /** The API group; the empty string for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly scope: "Namespaced" | "Cluster";
}

/** `group/version`, or `version` alone for the core group. */
export function apiVersionOf({ group, version }: Pick<Kind, "group" | "version">): string {
  return group === "" ? version : `${group}/${version}`;
}

/** The kind as one word for maps, logs and metrics: `tenantclusters.butler.butlerlabs.dev`. */
export function kindId({ group, plural }: Pick<Kind, "group" | "plural">): string {
  return group === "" ? plural : `${plural}.${group}`;
}

const builtin = (group: string, version: string, kind: string, plural: string, scope: Kind["scope"]): Kind => ({
  group,
  version,
  kind,
  plural,
  scope,
});

/** Kinds of Kubernetes itself that Butler reads or writes. */
export const builtinKinds = {
  Namespace: builtin("", "v1", "Namespace", "namespaces", "Cluster"),
  Node: builtin("", "v1", "Node", "nodes", "Cluster"),
  Secret: builtin("", "v1", "Secret", "secrets", "Namespaced"),
  ConfigMap: builtin("", "v1", "ConfigMap", "configmaps", "Namespaced"),
  Service: builtin("", "v1", "Service", "services", "Namespaced"),
  ServiceAccount: builtin("", "v1", "ServiceAccount", "serviceaccounts", "Namespaced"),
  Event: builtin("", "v1", "Event", "events", "Namespaced"),
  Lease: builtin("coordination.k8s.io", "v1", "Lease", "leases", "Namespaced"),
  CustomResourceDefinition: builtin(
    "apiextensions.k8s.io",
    "v1",
    "CustomResourceDefinition",
    "customresourcedefinitions",
    "Cluster",
  ),
} as const;
