import { type Kind, type KubeObject, keyText, type ObjectKey } from "@butler/resource";
import type { ManifestObject } from "../manifest/manifest-object.ts";
import type { ServedKinds } from "./served-kinds.ts";

/** An object of a manifest with its kind and key in the cluster. */
export interface PlacedObject {
  readonly wanted: ManifestObject;
  /** Undefined while the cluster does not serve the kind. */
  readonly kind: Kind | undefined;
  readonly key: ObjectKey;
}

/** Resolves an object: its kind by discovery, and the release's namespace when it has none. */
export async function place(wanted: ManifestObject, namespace: string, kinds: ServedKinds): Promise<PlacedObject> {
  const kind = await kinds.find(wanted.apiVersion, wanted.kind);
  const isNamespaced = kind === undefined ? wanted.namespace !== undefined : kind.scope === "Namespaced";
  return {
    wanted,
    kind,
    key: { name: wanted.name, ...(isNamespaced ? { namespace: wanted.namespace ?? namespace } : {}) },
  };
}

/** The message for an object whose kind the cluster does not serve. */
export const notServed = ({ wanted }: PlacedObject): string =>
  `the cluster does not serve kind ${wanted.kind} in ${wanted.apiVersion} yet`;

/** Whether a missing object is one that deletes itself when finished. */
export function removesItself({ wanted: { kind, object } }: PlacedObject): boolean {
  const spec = object["spec"] as { ttlSecondsAfterFinished?: unknown } | null | undefined;
  return kind === "Job" && typeof spec?.ttlSecondsAfterFinished === "number";
}

/** The key of an object, for maps. */
export function textOf(object: KubeObject): string {
  return keyText(object.metadata);
}
