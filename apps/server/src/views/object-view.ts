import type { KubeObject, ObjectMeta } from "@butler/resource";

/** Butler's own annotations; others may contain anything. */
const ownAnnotations = "butler.butlerlabs.dev/";

/** The visible fields of an object: exactly the ones named here. */
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

/** An object as in Kubernetes, without internal metadata. Only for kinds that contain no secrets. */
export function objectView<T extends KubeObject & { spec: unknown; status?: unknown }>({
  apiVersion,
  kind,
  metadata,
  spec,
  status,
}: T): { apiVersion: T["apiVersion"]; kind: T["kind"]; metadata: ObjectMeta; spec: T["spec"]; status?: T["status"] } {
  return { apiVersion, kind, metadata: metadataView(metadata), spec, ...(status === undefined ? {} : { status }) };
}

/** Sort keys and id of objects in lists. */
export const byObject = {
  id: ({ metadata }: KubeObject): string => `${metadata.name}/${metadata.namespace ?? ""}`,
  name: ({ metadata }: KubeObject): string => metadata.name,
  created: ({ metadata }: KubeObject): string => metadata.creationTimestamp ?? "",
} as const;

/** The searchable words of an object: its names and the given ones. */
export function searchText({ metadata }: KubeObject, ...words: readonly (string | undefined)[]): string {
  return [metadata.name, metadata.namespace, ...words].filter((word) => word !== undefined).join(" ");
}

/** Whether a value passes a filter; an unset filter passes everything. */
export function passes(filter: string | undefined, value: string | undefined): boolean {
  return filter === undefined || filter === (value ?? "");
}
