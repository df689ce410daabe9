import { type ConditionStatement, type Kind, keyText, type KubeObject } from "@butler/resource";
import { clusterNameLabel, pausedAnnotation } from "./cluster-api-names.ts";
import type { Cluster } from "./cluster.ts";

/** The name of an object's owner of a kind, in any version. */
export function ownerName({ metadata }: KubeObject, { group, kind }: Pick<Kind, "group" | "kind">): string | undefined {
  const owner = metadata.ownerReferences?.find(
    (reference) => reference.kind === kind && reference.apiVersion.split("/")[0] === group,
  );
  return owner?.name;
}

/** The name of the Cluster in an object's label. */
export function labelledClusterName({ metadata }: KubeObject): string | undefined {
  return metadata.labels?.[clusterNameLabel];
}

/** A Cluster, or what belongs to it, as the value of an index. */
export function clusterIndexValue(namespace: string | undefined, clusterName: string | undefined): string[] {
  return clusterName === undefined ? [] : [keyText({ name: clusterName, namespace })];
}

/** Whether an object is paused, by its own annotation or by its Cluster (contract, "pausing"). */
export function isPaused({ metadata }: KubeObject, cluster: Cluster | undefined): boolean {
  return cluster?.spec?.paused === true || metadata.annotations?.[pausedAnnotation] !== undefined;
}

/** The condition that reports whether reconciliation of an object is paused. */
export function pausedCondition(paused: boolean): ConditionStatement {
  const message = paused ? "reconciliation is paused until the Cluster and the object itself are unpaused" : "";
  return { type: "Paused", status: paused ? "True" : "False", reason: paused ? "Paused" : "NotPaused", message };
}
