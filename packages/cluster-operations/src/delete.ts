import type { ObjectMeta } from "@butler/resource";
import { deletingMessage, isLeaving, refused, type Refused, type Unchanged } from "./decision.ts";
import { isProtected } from "./protect.ts";

/** Effects of the deletion of a cluster. */
export type DeletionDecision =
  | Refused
  | Unchanged
  /** The uid is the precondition: a new cluster of the same name must not be deleted. */
  | { readonly state: "delete"; readonly uid: string | undefined };

/** Decides about the deletion of a cluster. How to remove its protection depends on the client. */
export function decideDeletion(cluster: { readonly metadata: ObjectMeta }): DeletionDecision {
  const { name, uid } = cluster.metadata;
  if (isLeaving(cluster.metadata)) return { state: "unchanged", message: deletingMessage(name) };
  if (!isProtected(cluster)) return { state: "delete", uid };
  return refused({ reason: "DELETION_PROTECTED", field: "", message: `${name} is protected from deletion` });
}
