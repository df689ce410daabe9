import { effectiveRanges, type IPAllocation, type NetworkPool } from "@butler/api";
import { type PoolShape, poolShapeOf } from "@butler/ipam";
import { describeError, InvalidInput } from "@butler/std";
import type { InfrastructureUse } from "./infrastructure.ts";

/** A pool and everybody who draws from it, as they were at one moment. */
export interface PoolView {
  readonly pool: NetworkPool;
  /** Every IPAllocation that names the pool. */
  readonly claims: readonly IPAllocation[];
  /** All pools, of all namespaces. */
  readonly others: readonly NetworkPool[];
  /** Addresses that the management cluster itself uses, whether they are of this pool or not. */
  readonly uses: readonly InfrastructureUse[];
  /**
   * True when pools and claims were read from the API server, the pool first: only then may addresses be given. A cache
   * may be behind, and is good enough for counting and for noticing that there is something to do.
   */
  readonly isFresh: boolean;
}

/** What a pool hands out from, or why it cannot. */
export type ReadShape = { readonly shape: PoolShape } | { readonly fault: string };

/** Reads a pool's spec. Admission refuses what is wrong in it; one that was stored without is not trusted. */
export function readShape({ spec }: NetworkPool): ReadShape {
  try {
    const { cidr, reserved, tenantAllocation } = spec;
    return { shape: poolShapeOf({ cidr, reserved, ranges: effectiveRanges(tenantAllocation) }) };
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    return { fault: `spec.${describeError(error)}` };
  }
}
