import type { IpRange } from "@butler/std";
import { managedRanges, type PoolShape, reservedRanges, usableRanges } from "./pool-shape.ts";
import { fused, sizeOf, sumOf, without } from "./range-set.ts";

/** Numbers for a pool's status. */
export interface PoolUsage {
  /** Addresses of the whole network. */
  readonly poolSize: bigint;
  /** Addresses that are kept back, each counted once. */
  readonly reserved: bigint;
  /** Addresses that can be given: those of the ranges without the reserved ones. */
  readonly total: bigint;
  readonly allocated: bigint;
  readonly available: bigint;
  readonly largestFreeBlock: bigint;
  /** The share of free addresses that is not in the largest free block; 0 when there is at most one block. */
  readonly fragmentationPercent: number;
  /** What of the network, but for its first and last address, is neither reserved nor given from. */
  readonly unmanaged: readonly IpRange[];
  readonly unmanagedSize: bigint;
}

/** What is free in a pool, summed up. */
export interface FreeSpace {
  readonly available: bigint;
  readonly largest: bigint;
  readonly runs: number;
}

/** The numbers that hang on the shape alone. */
export type Capacity = Pick<PoolUsage, "poolSize" | "reserved" | "total" | "unmanaged" | "unmanagedSize">;

/** What a pool holds, whatever is given of it. */
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

/** The numbers of a pool of which so much is free. */
export function usageOf(capacity: Capacity, { available, largest, runs }: FreeSpace): PoolUsage {
  return {
    ...capacity,
    allocated: capacity.total - available,
    available,
    largestFreeBlock: largest,
    fragmentationPercent: runs <= 1 ? 0 : 100 - Number((largest * 100n) / available),
  };
}
