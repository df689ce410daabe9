import { isBeingDeleted } from "@butler/resource";
import { deepEqual } from "@butler/std";
import type { AdmissionRequest, Denial } from "./admission-review.ts";

/** Parts of an object that stay writable: a finalizer has to be removed, and the progress is reported. */
const writableParts = ["apiVersion", "kind", "metadata", "status"];

/** Whether a request updates an object that is being deleted. The timestamp of a new object is only claimed. */
export function isOfTerminating({ object, oldObject }: Pick<AdmissionRequest, "object" | "oldObject">): boolean {
  return [object, oldObject].some((each) => each !== undefined && oldObject !== undefined && isBeingDeleted(each));
}

/**
 * An object that is being deleted is frozen: its finalizers may keep it for as long as its writer likes, so a spec that
 * could still change, by rules of its own, would be a way around every rule.
 */
export function frozenDenials(request: Pick<AdmissionRequest, "object" | "oldObject">): Denial[] {
  const { object, oldObject } = request;
  if (object === undefined || oldObject === undefined || !isOfTerminating(request)) return [];
  const parts = Object.keys({ ...oldObject, ...object }).filter((part) => !writableParts.includes(part));
  return parts
    .filter((part) => !deepEqual(oldObject[part], object[part]))
    .map((path) => ({
      path,
      message: "cannot be changed: the object is being deleted; wait until it is deleted, then create it again",
      code: "IMMUTABLE",
    }));
}
