import { createHash } from "node:crypto";
import { stableStringify } from "@butler/std";

/** A short hash of a JSON value: equal values give equal hashes, and the value cannot be recovered. */
export function fingerprintOf(value: unknown): string {
  return createHash("sha256").update(stableStringify(value)).digest("hex").slice(0, 32);
}
