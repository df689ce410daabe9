import { createHash } from "node:crypto";
import { stableStringify } from "@butler/std";

/** A short text that stands for any JSON value: equal values give equal texts, and the value cannot be read back. */
export function fingerprintOf(value: unknown): string {
  return createHash("sha256").update(stableStringify(value)).digest("hex").slice(0, 32);
}
