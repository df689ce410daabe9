import type { NetworkPool } from "@butler/api";
import { AddressSpace, describeRange, type PoolShape, statusNumber } from "@butler/ipam";
import type { IpRange } from "@butler/std";
import { isInUse, isTaken, rangeOf } from "../shared/claims.ts";
import { usedPercent } from "./capacity.ts";
import { type Grant, rangeOfGrant } from "./grants.ts";
import { infrastructureOf } from "./infrastructure.ts";
import type { PoolView } from "./pool-view.ts";

type PoolStatus = NonNullable<NetworkPool["status"]>;

/** A pool in numbers. */
export interface PoolReport {
  readonly percent: number;
  readonly available: bigint;
  readonly total: bigint;
  readonly fields: Partial<PoolStatus>;
}

/**
 * Counts a pool's addresses. Addresses in quarantine are neither allocated nor available, and those in use by the
 * management cluster are not available either.
 */
export function reportPool(view: PoolView, context: ReportContext): PoolReport {
  const { shape, space, grants, now } = context;
  const taken = view.claims.filter((claim) => isTaken(claim, now));
  const held = taken.filter(isInUse);
  const ranges = (claims: PoolView["claims"]): IpRange[] => claims.flatMap((claim) => rangeOf(claim) ?? []);
  const granted = grants.flatMap((grant) => rangeOfGrant(grant) ?? []);
  const usage = space.usage();
  const isAllInUse = taken.length === held.length && view.uses.length === 0;
  const allocated = isAllInUse ? usage.allocated : countTaken(shape, [...ranges(held), ...granted]);
  const resting = taken.length === held.length ? 0n : countTaken(shape, [...ranges(taken), ...granted]) - allocated;
  const percent = usedPercent(usage.total, usage.available);
  const infrastructure = infrastructureOf(view, shape.network);
  return {
    percent,
    available: usage.available,
    total: usage.total,
    fields: {
      totalIPs: statusNumber(usage.total),
      allocatedIPs: statusNumber(allocated),
      quarantinedIPs: statusNumber(resting),
      availableIPs: statusNumber(usage.available),
      used: `${percent}%`,
      allocationCount: held.length,
      fragmentationPercent: usage.fragmentationPercent,
      largestFreeBlock: statusNumber(usage.largestFreeBlock),
      poolSizeIPs: statusNumber(usage.poolSize),
      reservedIPs: statusNumber(usage.reserved),
      unmanagedScopeIPs: statusNumber(usage.unmanagedSize),
      unmanagedRanges: usage.unmanaged.map((range) => {
        const { startAddress, endAddress } = describeRange(range);
        return { start: startAddress, end: endAddress };
      }),
      infrastructureAllocations: infrastructure.listed,
      infrastructureConsumedIPs: infrastructure.count,
    },
  };
}

/** Input for the counts. */
export interface ReportContext {
  readonly shape: PoolShape;
  /** Free addresses. */
  readonly space: AddressSpace;
  /** The desired grants. */
  readonly grants: readonly Grant[];
  readonly now: Date;
}

function countTaken(shape: PoolShape, ranges: readonly IpRange[]): bigint {
  return AddressSpace.of(shape, ranges).usage().allocated;
}
