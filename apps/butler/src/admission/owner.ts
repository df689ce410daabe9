import type { KubeObject, OwnerReference } from "@butler/resource";

/** Deletes an object with its owner. It does not block the deletion of the owner, and the owner does not control it. */
export function ownerReference({ apiVersion, kind, metadata }: KubeObject): OwnerReference {
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid ?? "" };
}
