import type { KubeObject, OwnerReference } from "@butler/resource";

/** Makes an object go when its owner goes. It neither keeps the owner from going nor is looked after by it. */
export function ownerReference({ apiVersion, kind, metadata }: KubeObject): OwnerReference {
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid ?? "" };
}
