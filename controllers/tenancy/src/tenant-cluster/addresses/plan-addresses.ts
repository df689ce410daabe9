import { addressesLeft, pinnedRangeFault } from "@butler/access";
import {
  type AddressWish,
  allocationRoles,
  choosePool,
  claimNameOf,
  hasRoom,
  IPAllocation,
  labels,
  loadBalancerClaim,
} from "@butler/api";

import { holds, lacks, type Removal, removalOf } from "@butler/controller";
import { type ConditionStatement, findCondition, isBeingDeleted } from "@butler/resource";
import { objectLabels } from "../names.ts";
import type { Observed } from "../observed.ts";
import { type WantedAddresses, wantedAddresses } from "./wanted-addresses.ts";

const type = "NetworkReady";

/** The plan for a cluster's addresses, and their state. */
export interface AddressPlan {
  readonly apply: readonly IPAllocation[];
  readonly remove: readonly Removal[];
  readonly condition: ConditionStatement;
  /** The first claim that has addresses, for the status. */
  readonly allocation: IPAllocation | undefined;
}

/**
 * Claims the addresses of a cluster. A claim that is pending in a full pool moves when another pool
 * has addresses; an allocated claim is never changed, because users rely on its addresses.
 */
export function planAddresses(observed: Observed): AddressPlan {
  const { cluster, provider } = observed;
  const wanted = wantedAddresses(cluster, provider.found?.spec.network);
  const claims = ownClaims(observed);
  const allocation = claims.find(({ status }) => status?.phase === "Allocated");
  if (wanted.kind === "none")
    return { apply: [], remove: [], condition: holds(type, "NotNeeded", wanted.why), allocation };
  const waiting = claims.filter(({ status }) => status?.phase !== "Allocated");
  const moving = waiting.filter((claim) => couldMoveOn(claim, observed, wanted));
  if (waiting.length > 0) {
    return {
      apply: [],
      remove: moving.map((claim) => removalOf(IPAllocation, claim)),
      condition: waitingCondition(waiting),
      allocation,
    };
  }
  const missing = missingOf(wanted, claims);
  if (missing.kind === "none")
    return { apply: [], remove: [], condition: holds(type, "AddressesAllocated", addressText(claims)), allocation };
  const allowed = withinLimit(missing, observed);
  if ("fault" in allowed)
    return { apply: [], remove: [], condition: lacks(type, "QuotaExceeded", allowed.fault), allocation };
  return { ...newClaim(observed, allowed), remove: [], allocation };
}

/** The part of a wish that the provider's limit leaves, with every address counted that the cluster holds. */
function withinLimit(wish: AddressWish, { allocations, provider }: Observed): AddressWish | { readonly fault: string } {
  const network = provider.found?.spec.network;
  const held = allocations
    .filter(({ status }) => status?.phase !== "Released")
    .reduce((sum, { spec, status }) => sum + BigInt(status?.allocatedCount ?? spec.count ?? 0), 0n);
  if (wish.kind === "pinned") {
    const fault = pinnedRangeFault({ start: wish.startAddress, end: wish.endAddress }, network, held);
    return fault === undefined ? wish : { fault };
  }
  const left = addressesLeft(network, held);
  if (left === undefined || BigInt(wish.count) <= left) return wish;
  if (left > 0n) return { kind: "block", count: Number(left) };
  return { fault: `the maxLoadBalancerIPs limit in the ProviderConfig is reached: ${held} addresses are in use` };
}

/** The claims that follow from the cluster's spec; those for its Services are planned elsewhere. */
function ownClaims({ allocations }: Observed): IPAllocation[] {
  return allocations
    .filter(
      (claim) => !isBeingDeleted(claim) && claim.metadata.labels?.[labels.allocationRole] === allocationRoles.initial,
    )
    .toSorted((left, right) => (left.metadata.name < right.metadata.name ? -1 : 1));
}

function missingOf(wanted: WantedAddresses, claims: readonly IPAllocation[]): WantedAddresses {
  const has = claims.reduce((sum, { status }) => sum + (status?.allocatedCount ?? 0), 0);
  const enough = { kind: "none", why: "enough addresses allocated" } as const;
  if (wanted.kind === "block") return has >= wanted.count ? enough : { kind: "block", count: wanted.count - has };
  if (wanted.kind === "none") return wanted;
  const { startAddress, endAddress } = wanted;
  const isThere = claims.some(
    ({ spec: { pinnedRange } }) => pinnedRange?.startAddress === startAddress && pinnedRange.endAddress === endAddress,
  );
  return isThere ? enough : wanted;
}

function couldMoveOn({ spec, status }: IPAllocation, { pools }: Observed, wanted: AddressWish): boolean {
  const current = pools.find(({ metadata }) => metadata.name === spec.poolRef.name);
  if (current === undefined) return pools.length > 0;
  const isExhausted = findCondition(status?.conditions, "Ready")?.reason === "PoolExhausted";
  return isExhausted && pools.some((pool) => pool !== current && hasRoom(pool, wanted));
}

function newClaim(observed: Observed, wish: AddressWish): Pick<AddressPlan, "apply" | "condition"> {
  const { cluster, pools, allocations } = observed;
  const pool = choosePool(pools, wish);
  if (pool === undefined) return { apply: [], condition: noPool(wish) };
  const taken = new Set(allocations.map(({ metadata }) => metadata.name));
  const base = claimNameOf(cluster);
  const numbered = [base, ...Array.from({ length: taken.size + 1 }, (_, at) => `${base}-${at + 2}`)];
  const name = numbered.find((text) => !taken.has(text)) ?? base;
  const role = allocationRoles.initial;
  const claim = loadBalancerClaim({ name, cluster, pool, wish, role, labels: objectLabels(cluster) });
  return {
    apply: [claim],
    condition: lacks(type, "AllocationPending", `requesting addresses from pool ${pool.metadata.name}`),
  };
}

function waitingCondition(waiting: readonly IPAllocation[]): ConditionStatement {
  const [first] = waiting;
  const said = findCondition(first?.status?.conditions, "Ready");
  const where = `IPAllocation ${first?.metadata.name ?? ""} in pool ${first?.spec.poolRef.name ?? ""}`;
  const message = said?.message ? `${where}: ${said.message}` : `${where} is pending`;
  return lacks(type, said?.reason ?? "AllocationPending", message);
}

function noPool(wanted: AddressWish): ConditionStatement {
  return wanted.kind === "pinned"
    ? lacks(type, "OutsidePools", `none of the provider's NetworkPools contains ${wanted.startAddress}`)
    : lacks(type, "PoolNotFound", "none of the NetworkPools in the ProviderConfig exists");
}

function addressText(claims: readonly IPAllocation[]): string {
  const blocks = claims.map(({ status }) => status?.cidr ?? `${status?.startAddress}-${status?.endAddress}`);
  return `load balancer addresses: ${blocks.join(", ")}`;
}
