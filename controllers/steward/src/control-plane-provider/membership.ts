import { Cluster, clusterIndexValue, labelledClusterName, ownerName } from "@butler/api-external";
import type { KubeObject } from "@butler/resource";

/** The Cluster that an object belongs to, as the values of an index. */
export function clusterIndexValues(object: KubeObject): string[] {
  return clusterIndexValue(object.metadata.namespace, ownerName(object, Cluster) ?? labelledClusterName(object));
}

/** Whether this owner (compared by UID, not name) is the controller of an object. */
export function isControlledBy(object: KubeObject, owner: KubeObject): boolean {
  const controller = object.metadata.ownerReferences?.find((reference) => reference.controller === true);
  return controller !== undefined && controller.uid === owner.metadata.uid;
}
