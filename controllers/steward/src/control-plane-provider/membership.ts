import { Cluster, clusterNameLabel, pausedAnnotation } from "@butler/api-external";
import type { Plan } from "@butler/controller";
import { type Condition, type ConditionStatement, keyText, type KubeObject } from "@butler/resource";

/** The name of the Cluster that owns an object, whichever version of it the reference names. */
export function owningClusterName({ metadata }: KubeObject): string | undefined {
  const owner = metadata.ownerReferences?.find(
    ({ kind, apiVersion }) => kind === Cluster.kind && apiVersion.split("/")[0] === Cluster.group,
  );
  return owner?.name;
}

/** The Cluster that an object belongs to, as the values of an index. */
export function clusterIndexValues(object: KubeObject): string[] {
  const name = owningClusterName(object) ?? object.metadata.labels?.[clusterNameLabel];
  return name === undefined ? [] : [keyText({ name, namespace: object.metadata.namespace })];
}

/** Whether this very owner, not a namesake of it, is the controller of an object. */
export function isControlledBy(object: KubeObject, owner: KubeObject): boolean {
  const controller = object.metadata.ownerReferences?.find((reference) => reference.controller === true);
  return controller !== undefined && controller.uid === owner.metadata.uid;
}

/** Whether an object is to be left alone, by its own annotation or because its whole Cluster is (contract, "pausing"). */
export function isPaused({ metadata }: KubeObject, cluster: Cluster | undefined): boolean {
  return cluster?.spec?.paused === true || metadata.annotations?.[pausedAnnotation] !== undefined;
}

/** The condition that tells whether an object is worked on. */
export function pausedCondition(paused: boolean): ConditionStatement {
  const message = paused ? "nothing is done until the Cluster and the object itself are no longer paused" : "";
  return { type: "Paused", status: paused ? "True" : "False", reason: paused ? "Paused" : "NotPaused", message };
}

/** The plan for an object that is to be left alone: everything stands as it is, and it says so. */
export function pausedPlan(status: { conditions?: readonly Condition[] | undefined } | undefined): Plan {
  const others = (status?.conditions ?? []).filter(({ type }) => type !== "Paused");
  const restated = others.map(({ type, status: holds, reason, message }) => ({ type, status: holds, reason, message }));
  return { finalizer: "none", conditions: [...restated, pausedCondition(true)] };
}
