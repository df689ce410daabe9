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

const inGroup = (group: string, version = "v1") => ({
  namespaced: (kind: string, plural: string): Kind => ({ group, version, kind, plural, scope: "Namespaced" }),
  cluster: (kind: string, plural: string): Kind => ({ group, version, kind, plural, scope: "Cluster" }),
});

const core = inGroup("");

/** Kinds of Kubernetes itself that Butler reads or writes. */
export const builtinKinds = {
  Namespace: core.cluster("Namespace", "namespaces"),
  Secret: core.namespaced("Secret", "secrets"),
  ConfigMap: core.namespaced("ConfigMap", "configmaps"),
  Event: core.namespaced("Event", "events"),
  Lease: inGroup("coordination.k8s.io").namespaced("Lease", "leases"),
  CustomResourceDefinition: inGroup("apiextensions.k8s.io").cluster(
    "CustomResourceDefinition",
    "customresourcedefinitions",
  ),
} as const;
