import { labels, managedByButler } from "@butler/api";
import { appliedAnnotation } from "@butler/controller";
import { type KubeObject } from "@butler/resource";

/**
 * Pods of people have no business in namespaces for Butler's objects: what runs there must at least be harmless.
 * Machines and control planes have namespaces of their own.
 */
const restrictedPods = {
  "pod-security.kubernetes.io/enforce": "restricted",
  "pod-security.kubernetes.io/audit": "restricted",
  "pod-security.kubernetes.io/warn": "restricted",
};

/**
 * A namespace for people's objects. It has no owner on purpose: an owner that is gone, or whose deletion is told to take
 * everything along first, would make Kubernetes delete the namespace with every cluster in it.
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

/** Whether a controller has made the namespace, whatever somebody has done to its labels since. */
export function isMadeBy({ metadata }: KubeObject, controller: string): boolean {
  return metadata.annotations?.[appliedAnnotation(controller)] !== undefined;
}
