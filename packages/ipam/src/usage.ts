import type { IpRange } from "@butler/std";
import { managedRanges, type PoolShape, reservedRanges, usableRanges } from "./pool-shape.ts";
import { fused, sizeOf, sumOf, without } from "./range-set.ts";

/** Numbers for a pool's status. */
export interface PoolUsage {
  /** Addresses of the whole network. */
  readonly poolSize: bigint;
  /** Reserved addresses, each counted once. */
  readonly reserved: bigint;
  /** Allocatable addresses: those in the ranges, excluding reserved ones. */
  readonly total: bigint;
  readonly allocated: bigint;
  readonly available: bigint;
  readonly largestFreeBlock: bigint;
  /** The percentage of free addresses that are not in the largest free block; 0 if there is at most one block. */
  readonly fragmentationPercent: number;
  /** Ranges of the network, except its first and last address, that are neither reserved nor managed. */
  readonly unmanaged: readonly IpRange[];
  readonly unmanagedSize: bigint;
}

/** Summary of a pool's free addresses. */
export interface FreeSpace {
  readonly available: bigint;
  readonly largest: bigint;
  readonly runs: number;
}

/** The counts that depend on the shape only. */
export type Capacity = Pick<PoolUsage, "poolSize" | "reserved" | "total" | "unmanaged" | "unmanagedSize">;

/** Counts of a pool, independent of allocations. */
export function capacityOf(shape: PoolShape): Capacity {
  const { network } = shape;
  const reserved = reservedRanges(shape);
  const inner = { ...network, first: network.first + 1n, last: network.last - 1n };
  const others = inner.first > inner.last ? [] : without([inner], fused([...reserved, ...managedRanges(shape)]));
  return {
    poolSize: sizeOf(network),
    reserved: sumOf(reserved),
    total: sumOf(usableRanges(shape)),
    unmanaged: others,
    unmanagedSize: sumOf(others),
  };
}

/** The counts of a pool with the given free addresses. */
export function usageOf(capacity: Capacity, { available, largest, runs }: FreeSpace): PoolUsage {
  return {
    ...capacity,
    allocated: capacity.total - available,
    available,
    largestFreeBlock: largest,
    fragmentationPercent: runs <= 1 ? 0 : 100 - Number((largest * 100n) / available),
  };
}
