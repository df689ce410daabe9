import { type ConditionStatement, type Kind, keyText, type KubeObject } from "@butler/resource";
import { clusterNameLabel, pausedAnnotation } from "./cluster-api-names.ts";
import type { Cluster } from "./cluster.ts";

/** The name of the owner that an object has of a kind, whichever version of it the reference names. */
export function ownerName({ metadata }: KubeObject, { group, kind }: Pick<Kind, "group" | "kind">): string | undefined {
  const owner = metadata.ownerReferences?.find(
    (reference) => reference.kind === kind && reference.apiVersion.split("/")[0] === group,
  );
  return owner?.name;
}

/** The name of the Cluster that an object says it belongs to. */
export function labelledClusterName({ metadata }: KubeObject): string | undefined {
  return metadata.labels?.[clusterNameLabel];
}

/** A Cluster, or what belongs to it, as the value of an index. */
export function clusterIndexValue(namespace: string | undefined, clusterName: string | undefined): string[] {
  return clusterName === undefined ? [] : [keyText({ name: clusterName, namespace })];
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
