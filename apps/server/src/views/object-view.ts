import type { KubeObject, ObjectMeta } from "@butler/resource";

/** Annotations that are Butler's own; of others nobody knows what they hold. */
const ownAnnotations = "butler.butlerlabs.dev/";

/** What of an object may be shown: exactly the fields named here, and nothing that came with them. */
export function metadataView(metadata: ObjectMeta): ObjectMeta {
  const { name, namespace, uid, resourceVersion, generation, creationTimestamp, deletionTimestamp, labels } = metadata;
  const annotations = Object.entries(metadata.annotations ?? {}).filter(([key]) => key.startsWith(ownAnnotations));
  return {
    name,
    namespace,
    uid,
    resourceVersion,
    generation,
    creationTimestamp,
    deletionTimestamp,
    ...(labels === undefined ? {} : { labels }),
    ...(annotations.length === 0 ? {} : { annotations: Object.fromEntries(annotations) }),
  };
}

/** An object as Kubernetes has it, without what is nobody's business. Only for kinds that hold no secrets. */
export function objectView<T extends KubeObject & { spec: unknown; status?: unknown }>({
  apiVersion,
  kind,
  metadata,
  spec,
  status,
}: T): { apiVersion: T["apiVersion"]; kind: T["kind"]; metadata: ObjectMeta; spec: T["spec"]; status?: T["status"] } {
  return { apiVersion, kind, metadata: metadataView(metadata), spec, ...(status === undefined ? {} : { status }) };
}

/** What orders and finds objects in every list. */
export const byObject = {
  id: ({ metadata }: KubeObject): string => `${metadata.name}/${metadata.namespace ?? ""}`,
  name: ({ metadata }: KubeObject): string => metadata.name,
  created: ({ metadata }: KubeObject): string => metadata.creationTimestamp ?? "",
} as const;

/** The words of an object that a search looks into: its names and those that are given. */
export function searchText({ metadata }: KubeObject, ...words: readonly (string | undefined)[]): string {
  return [metadata.name, metadata.namespace, ...words].filter((word) => word !== undefined).join(" ");
}

/** Whether a filter lets a value through; a filter that is not set lets everything through. */
export function passes(filter: string | undefined, value: string | undefined): boolean {
  return filter === undefined || filter === (value ?? "");
}
