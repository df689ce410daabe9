import type { IPAllocation, NetworkPool } from "@butler/api";
import { AddressSpace, describeRange, type PinRefusal, type PoolShape } from "@butler/ipam";
import { isBeingDeleted } from "@butler/resource";
import type { IpRange } from "@butler/std";
import { compareAge, isTaken, isWaiting, rangeBetween, rangeOf } from "../shared/claims.ts";
import type { ClaimBlocker } from "../shared/claim-write.ts";
import { timeText } from "../shared/time-text.ts";
import { quarantineMsOf } from "../shared/quarantine.ts";
import { usedRanges } from "./infrastructure.ts";
import type { PoolView } from "./pool-view.ts";

/** Addresses reserved in the pool for a claim that does not show them yet. */
export type Grant = NonNullable<NonNullable<NetworkPool["status"]>["grants"]>[number];

/** Maximum number of grants in a pool, to keep the object small and a pass short. */
export const mostGrants = 64;

/** Addresses to write to a claim. */
export interface Delivery {
  readonly claim: IPAllocation;
  readonly range: IpRange;
}

/** Decision on all claims that wait for addresses of a pool. */
export interface GrantDecision {
  /** Desired grants of the pool; written before any claim. */
  readonly grants: readonly Grant[];
  readonly deliveries: readonly Delivery[];
  readonly blockedClaims: readonly { readonly claim: IPAllocation; readonly blocker: ClaimBlocker }[];
  /** Free addresses afterwards; undefined if they were not computed. */
  readonly space?: AddressSpace;
}

/** Current grants of a pool. */
export function grantsOf({ status }: NetworkPool): readonly Grant[] {
  return status?.grants ?? [];
}

/**
 * The grants that must stay. One leaves only when its claim shows addresses, or when the claim is deleted: then it rests
 * as
 * addresses do that were in use. None is ever taken back, so that a claim which has not changed still has its grant.
 */
export function currentGrants({ pool, claims }: PoolView, now: Date): readonly Grant[] {
  const byUid = new Map(claims.map((claim) => [claim.metadata.uid, claim]));
  return grantsOf(pool).filter((grant) => {
    const claim = byUid.get(grant.uid);
    return claim === undefined ? grantRestsUntilMs(pool, grant) > now.getTime() : rangeOf(claim) === undefined;
  });
}

/** End of the quarantine of a grant whose claim was deleted. */
export function grantRestsUntilMs(pool: NetworkPool, { grantedAt }: Grant): number {
  return Date.parse(grantedAt) + quarantineMsOf(pool);
}

/** All addresses of a pool that cannot be allocated. */
export function takenRanges(view: PoolView, grants: readonly Grant[], now: Date): IpRange[] {
  return [
    ...view.claims.filter((claim) => isTaken(claim, now)).flatMap((claim) => rangeOf(claim) ?? []),
    ...grants.flatMap((grant) => rangeOfGrant(grant) ?? []),
    ...usedRanges(view.uses),
  ];
}

/** The addresses of a grant. */
export function rangeOfGrant({ startAddress, endAddress }: Grant): IpRange | undefined {
  return rangeBetween(startAddress, endAddress);
}

/** Keeps the required grants and delivers those with waiting claims, without new allocations. */
export function keepGrants(view: PoolView, now: Date): Omit<GrantDecision, "blockedClaims"> {
  const grants = currentGrants(view, now);
  const byUid = new Map(grants.map((grant) => [grant.uid, grant]));
  return { grants, deliveries: view.claims.flatMap((claim) => deliveryOf(claim, byUid.get(claim.metadata.uid ?? ""))) };
}

/** Claims without addresses that can be served, oldest first. */
export function unservedClaims({ claims }: PoolView, grants: readonly Grant[]): IPAllocation[] {
  const promised = new Set(grants.map(({ uid }) => uid));
  return claims.filter((claim) => isWaiting(claim) && !promised.has(claim.metadata.uid ?? "")).sort(compareAge);
}

/**
 * Decides on allocations. The oldest claim is served first; a claim that cannot be served gets the reason, and the next
 * one is considered.
 */
export function decideGrants(view: PoolView, shape: PoolShape, now: Date): GrantDecision {
  const kept = keepGrants(view, now);
  const [grants, deliveries] = [[...kept.grants], [...kept.deliveries]];
  const space = AddressSpace.of(shape, takenRanges(view, grants, now));
  const blockedClaims: GrantDecision["blockedClaims"][number][] = [];
  for (const claim of unservedClaims(view, kept.grants)) {
    // The others are served once these have their addresses.
    if (grants.length >= mostGrants) break;
    const answer = serve(claim, view.pool, space);
    if ("range" in answer) {
      grants.push(grantFor(claim, answer.range, now));
      deliveries.push({ claim, range: answer.range });
    } else blockedClaims.push({ claim, blocker: answer });
  }
  return { grants, deliveries, blockedClaims, space };
}

function deliveryOf(claim: IPAllocation, grant: Grant | undefined): Delivery[] {
  const range = grant && rangeOfGrant(grant);
  return range === undefined || isBeingDeleted(claim) ? [] : [{ claim, range }];
}

function grantFor({ metadata }: IPAllocation, range: IpRange, now: Date): Grant {
  const { startAddress, endAddress } = describeRange(range);
  const { uid = "", name } = metadata;
  return { uid, name, startAddress, endAddress, grantedAt: timeText(now.getTime()) };
}

/** Allocates addresses for a claim, or returns the reason why it gets none. */
function serve(
  claim: IPAllocation,
  pool: NetworkPool,
  space: AddressSpace,
): { readonly range: IpRange } | ClaimBlocker {
  const { pinnedRange } = claim.spec;
  if (pinnedRange !== undefined) return servePinned(pinnedRange, space);
  const count = countOf(claim, pool);
  const range = space.allocate(BigInt(count));
  if (range !== undefined) return { range };
  const what = count === 1 ? "no free addresses" : `no free block of ${count} addresses`;
  const message = `the pool has ${what}; waiting for addresses, oldest claim first`;
  return { phase: "Pending", reason: "PoolExhausted", message };
}

/** Number of addresses of a claim. */
export function countOf({ spec }: IPAllocation, pool: NetworkPool): number {
  const { nodesPerTenant = 5, lbPoolPerTenant = 8 } = pool.spec.tenantAllocation?.defaults ?? {};
  return spec.count ?? (spec.type === "nodes" ? nodesPerTenant : lbPoolPerTenant);
}

type PinnedRange = NonNullable<IPAllocation["spec"]["pinnedRange"]>;

function servePinned(pinned: PinnedRange, space: AddressSpace): { readonly range: IpRange } | ClaimBlocker {
  const { startAddress, endAddress } = pinned;
  const text = `${startAddress} to ${endAddress}`;
  const range = rangeBetween(startAddress, endAddress);
  if (range === undefined)
    return failed("InvalidRange", `${text} is not a valid range: specify the lower address first`);
  const refusal = space.pin(range);
  return refusal === undefined ? { range } : pinBlockers[refusal](text);
}

const pinBlockers: Readonly<Record<PinRefusal, (text: string) => ClaimBlocker>> = {
  outside: (text) => failed("PinnedOutside", `${text} is outside the pool's ranges; correct the range or the pool`),
  straddles: (text) =>
    failed("PinnedOutside", `${text} spans more than one range of the pool; create one IPAllocation per range`),
  reserved: (text) => failed("PinnedReserved", `${text} contains reserved addresses of the pool; choose another range`),
  taken: (text) =>
    failed("PinnedTaken", `${text} contains addresses that are in use or in quarantine; waiting for their release`),
};

function failed(reason: string, message: string): ClaimBlocker {
  return { phase: "Failed", reason, message };
}
