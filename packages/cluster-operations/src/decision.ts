import type { Blocker, ObjectMeta } from "@butler/resource";
import type { JsonPatch } from "./field-patch.ts";

/** Why an operation is not possible. The reason is the code in the problem of the REST API. */
export interface Refusal extends Blocker {
  /** The field of the request that the refusal is about. */
  readonly field: string;
}

/** Result of an operation on a cluster. */
export type Decision = Refused | Unchanged | Change;

/** The operation is not possible. */
export interface Refused {
  readonly state: "refused";
  readonly refusal: Refusal;
}

/** The cluster is as requested already. */
export interface Unchanged {
  readonly state: "unchanged";
  readonly message: string;
}

/** The operation is possible, as far as the facts show; the API server has the final say. */
export interface Change {
  readonly state: "change";
  readonly patch: JsonPatch;
  /** What happens, as a sentence to print once the patch is sent. */
  readonly summary: string;
  /** The effects, line by line, to read before confirming. */
  readonly effects: readonly string[];
}

/** A refusal, as a decision. */
export function refused(refusal: Refusal): Refused {
  return { state: "refused", refusal };
}

/** Whether a cluster is being deleted: it then accepts no other operation. */
export function isLeaving({ deletionTimestamp }: Pick<ObjectMeta, "deletionTimestamp">): boolean {
  return deletionTimestamp !== undefined;
}

/** The refusal of an operation on a cluster that is being deleted. */
export function refusedWhileLeaving(name: string): Refused {
  return refused({ reason: "DELETING", field: "", message: deletingMessage(name) });
}

/** The state of a cluster that is being deleted. */
export function deletingMessage(name: string): string {
  return `${name} is already being deleted`;
}
