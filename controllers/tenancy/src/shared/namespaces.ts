import { labels, managedByButler } from "@butler/api";
import { appliedAnnotation } from "@butler/controller";
import { type KubeObject } from "@butler/resource";

/**
 * Namespaces for Butler's objects are not meant for user pods: pods there must at least be restricted.
 * Machines and control planes have separate namespaces.
 */
const restrictedPods = {
  "pod-security.kubernetes.io/enforce": "restricted",
  "pod-security.kubernetes.io/audit": "restricted",
  "pod-security.kubernetes.io/warn": "restricted",
};

/**
 * A namespace for users' objects. It has no owner on purpose: when the owner is deleted, or deleted in the foreground,
 * Kubernetes would delete the namespace with every cluster in it.
 */
export function buildNamespace(
  name: string,
  { labels: own = {}, annotations }: Pick<KubeObject["metadata"], "labels" | "annotations">,
): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: {
      name,
      labels: { [labels.managedBy]: managedByButler, ...own, ...restrictedPods },
      ...(annotations === undefined ? {} : { annotations }),
      ownerReferences: [],
    },
  };
}

/** Whether a controller created the namespace, even if its labels were changed since. */
export function isMadeBy({ metadata }: KubeObject, controller: string): boolean {
  return metadata.annotations?.[appliedAnnotation(controller)] !== undefined;
}
