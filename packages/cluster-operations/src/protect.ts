import { annotations } from "@butler/api";
import type { ObjectMeta } from "@butler/resource";
import { type Decision, isLeaving, refusedWhileLeaving } from "./decision.ts";
import { changeField } from "./field-patch.ts";

/** Whether a cluster is protected from deletion. */
export function isProtected({ metadata }: { readonly metadata: Pick<ObjectMeta, "annotations"> }): boolean {
  return metadata.annotations?.[annotations.deletionProtection] === "true";
}

/** Decides about turning deletion protection on or off. */
export function decideProtection(cluster: { readonly metadata: ObjectMeta }, isWanted: boolean): Decision {
  const { name } = cluster.metadata;
  if (isLeaving(cluster.metadata)) return refusedWhileLeaving(name);
  if (isProtected(cluster) === isWanted) {
    return { state: "unchanged", message: `${name} is ${isWanted ? "already" : "not"} protected from deletion` };
  }
  const path = ["metadata", "annotations", annotations.deletionProtection];
  return {
    state: "change",
    patch: changeField(cluster, path, isWanted ? "true" : undefined),
    summary: `${name} is ${isWanted ? "now" : "no longer"} protected from deletion.`,
    effects: [isWanted ? "The cluster cannot be deleted until you unprotect it." : "The cluster can then be deleted."],
  };
}
