import { effectiveRanges, type IPAllocation, type NetworkPool } from "@butler/api";
import { type PoolShape, poolShapeOf } from "@butler/ipam";
import { describeError, InvalidInput } from "@butler/std";
import type { InfrastructureUse } from "./infrastructure.ts";

/** A pool and its claims at one point in time. */
export interface PoolView {
  readonly pool: NetworkPool;
  /** All IPAllocations of the pool. */
  readonly claims: readonly IPAllocation[];
  /** All pools, of all namespaces. */
  readonly others: readonly NetworkPool[];
  /** Addresses in use by the management cluster, in this pool or not. */
  readonly uses: readonly InfrastructureUse[];
  /**
   * True when pools and claims were read from the API server, the pool first: only then may addresses be allocated. A
   * cache may be stale, which is good enough for counting and for detecting that there is work.
   */
  readonly isFresh: boolean;
}

/** The shape of a pool, or why it is invalid. */
export type ReadShape = { readonly shape: PoolShape } | { readonly fault: string };

/** Reads a pool's spec. Admission rejects an invalid spec, but it may have been stored without admission. */
export function readShape({ spec }: NetworkPool): ReadShape {
  try {
    const { cidr, reserved, tenantAllocation } = spec;
    return { shape: poolShapeOf({ cidr, reserved, ranges: effectiveRanges(tenantAllocation) }) };
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    return { fault: `spec.${describeError(error)}` };
  }
}
