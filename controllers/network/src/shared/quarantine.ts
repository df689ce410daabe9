import type { NetworkPool } from "@butler/api";
import { parseDurationMs } from "@butler/std";

/** Quarantine of a pool's addresses; the default if the pool no longer exists. */
export function quarantineMsOf(pool: NetworkPool | undefined): number {
  return parseDurationMs(pool?.spec.quarantine ?? "5m");
}
