import { openObject } from "@butler/resource";

/** Free-form Helm values; a null is dropped and counts as not set. */
export const helmValues = openObject();
