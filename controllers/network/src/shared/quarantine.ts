import type { NetworkPool } from "@butler/api";
import { parseDurationMs } from "@butler/std";

/** How long addresses of a pool rest before they are given to somebody else; the usual time when the pool is gone. */
export function quarantineMsOf(pool: NetworkPool | undefined): number {
  return parseDurationMs(pool?.spec.quarantine ?? "5m");
}
