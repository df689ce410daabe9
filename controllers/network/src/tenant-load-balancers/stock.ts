import { allocationRoles, type IPAllocation, labels } from "@butler/api";
import { describeRange } from "@butler/ipam";
import { isBeingDeleted } from "@butler/resource";
import { type IpRange, parseIpAddress, rangeContains } from "@butler/std";
import { compareAge, rangeBetween, rangeOf } from "../shared/claims.ts";

/** Addresses of a cluster from one claim. */
export interface Block {
  readonly claim: IPAllocation;
  readonly range: IpRange;
  /** As written in MetalLB objects and messages. */
  readonly text: string;
  readonly size: number;
  readonly isGrowth: boolean;
}

/** Blocks of a cluster, initial ones first, then added ones, each in order of age. */
export function blocksOf(claims: readonly IPAllocation[]): Block[] {
  const blocks = claims.flatMap((claim): Block[] => {
    const range = rangeOf(claim);
    if (range === undefined || isBeingDeleted(claim) || claim.status?.phase !== "Allocated") return [];
    const { text, count } = describeRange(range);
    return [{ claim, range, text, size: Number(count), isGrowth: isGrowth(claim) }];
  });
  return blocks.toSorted(
    (left, right) => Number(left.isGrowth) - Number(right.isGrowth) || compareAge(left.claim, right.claim),
  );
}

/** Whether a claim was added for waiting Services. Never true for a pinned claim, regardless of its label. */
export function isGrowth({ metadata, spec }: IPAllocation): boolean {
  return metadata.labels?.[labels.allocationRole] === allocationRoles.growth && spec.pinnedRange === undefined;
}

/** Claims added for waiting Services without addresses yet. */
export function pendingGrowth(claims: readonly IPAllocation[]): IPAllocation[] {
  return claims.filter((claim) => isGrowth(claim) && !isBeingDeleted(claim) && rangeOf(claim) === undefined);
}

/** Number of addresses that a cluster has or has requested. */
export function claimedCount(claims: readonly IPAllocation[]): number {
  const live = claims.filter((claim) => !isBeingDeleted(claim) && claim.status?.phase !== "Released");
  return live.reduce((sum, claim) => sum + countOf(claim), 0);
}

function countOf({ spec, status }: IPAllocation): number {
  const { pinnedRange } = spec;
  const range = pinnedRange && rangeBetween(pinnedRange.startAddress, pinnedRange.endAddress);
  return status?.allocatedCount ?? spec.count ?? (range === undefined ? 0 : Number(describeRange(range).count));
}

/** Those of some addresses that lie in a block. */
export function usedIn({ range }: Pick<Block, "range">, addresses: ReadonlySet<string>): number {
  let used = 0;
  for (const text of addresses) {
    const address = parseIpAddress(text);
    if (address !== undefined && rangeContains(range, address)) used += 1;
  }
  return used;
}
