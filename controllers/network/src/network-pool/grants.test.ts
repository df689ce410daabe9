import type { IPAllocation, NetworkPool } from "@butler/api";
import { describe, expect, it } from "vitest";
import { aClaim, activeStatus, allocatedStatus, aPool } from "../testing/objects.ts";
import { decideGrants, type Grant, mostGrants } from "./grants.ts";
import { type PoolView, readShape } from "./pool-view.ts";

const now = new Date("2026-01-01T01:00:00Z");

function decide(pool: NetworkPool, claims: readonly IPAllocation[], more: Partial<PoolView> = {}) {
  const read = readShape(pool);
  if ("fault" in read) throw new Error(read.fault);
  return decideGrants({ pool, claims, others: [], uses: [], isFresh: true, ...more }, read.shape, now);
}

/** Allocations and blocked claims as short texts. */
function outcome(...given: Parameters<typeof decide>): string[] {
  const { grants, blockedClaims } = decide(...given);
  return [
    ...grants.map(({ name, startAddress, endAddress }) => `${name} ${startAddress}-${endAddress}`),
    ...blockedClaims.map(({ claim, blocker }) => `${claim.metadata.name} ${blocker.phase} ${blocker.reason}`),
  ];
}

const at = (minute: number): string => `2026-01-01T00:${String(minute).padStart(2, "0")}:00Z`;
const pinned = (startAddress: string, endAddress = startAddress) => ({
  spec: { pinnedRange: { startAddress, endAddress } },
});
const grant = (claim: string, address: string, minutesAgo = 0): Grant => ({
  uid: `uid-of-${claim}`,
  name: claim,
  startAddress: address,
  endAddress: address,
  grantedAt: new Date(now.getTime() - minutesAgo * 60_000).toISOString(),
});
const withGrants = (...grants: Grant[]) => aPool({ status: { ...activeStatus, grants } });

describe("serving claims", () => {
  it("serves the oldest claim first, and by name within the same second", () => {
    const claims = [
      aClaim({ name: "young", creationTimestamp: at(9) }),
      aClaim({ name: "b", creationTimestamp: at(5) }),
      aClaim({ name: "old", creationTimestamp: at(1) }),
      aClaim({ name: "a", creationTimestamp: at(5) }),
      aClaim({ name: "last", creationTimestamp: at(10) }),
    ];
    expect(outcome(aPool(), claims)).toEqual([
      "old 10.40.0.0-10.40.0.3",
      "a 10.40.0.4-10.40.0.7",
      "b 10.40.0.8-10.40.0.11",
      "young 10.40.0.12-10.40.0.15",
      "last Pending PoolExhausted",
    ]);
  });

  it("continues after a claim that cannot be served", () => {
    const claims = [
      aClaim({ name: "a-large", spec: { count: 17 } }),
      aClaim({ name: "b-wrong", ...pinned("10.40.9.9") }),
      aClaim({ name: "c-small", spec: { count: 1 } }),
    ];
    expect(outcome(aPool(), claims)).toEqual([
      "c-small 10.40.0.0-10.40.0.0",
      "a-large Pending PoolExhausted",
      "b-wrong Failed PinnedOutside",
    ]);
  });

  it.each<[string, Parameters<typeof aClaim>[0], string]>([
    ["of the pool's default for load balancers", { spec: { count: undefined } }, "10.40.0.0-10.40.0.7"],
    ["of the pool's default for nodes", { spec: { count: undefined, type: "nodes" } }, "10.40.0.0-10.40.0.4"],
    ["of a pinned range", pinned("10.40.0.5", "10.40.0.9"), "10.40.0.5-10.40.0.9"],
  ])("allocates the number %s", (_how, traits, expected) => {
    expect(outcome(aPool(), [aClaim(traits)])).toEqual([`shop-lb ${expected}`]);
  });

  it.each<[string, Parameters<typeof aClaim>[0], string]>([
    ["outside", pinned("10.40.0.15", "10.40.0.16"), "PinnedOutside"],
    ["over two ranges", pinned("10.40.0.3", "10.40.0.8"), "PinnedOutside"],
    ["in reserved addresses", pinned("10.40.0.2"), "PinnedReserved"],
    ["in allocated addresses", pinned("10.40.0.9"), "PinnedTaken"],
    ["of two families", pinned("10.40.0.1", "2001:db8::1"), "InvalidRange"],
  ])("refuses a pinned range %s", (_where, traits, reason) => {
    const ranges = [
      { start: "10.40.0.0", end: "10.40.0.3" },
      { start: "10.40.0.8", end: "10.40.0.15" },
    ];
    const pool = aPool({ spec: { reserved: [{ cidr: "10.40.0.2/31" }], tenantAllocation: { ranges } } });
    const other = aClaim({ name: "other", status: allocatedStatus("10.40.0.9", "10.40.0.9") });
    expect(outcome(pool, [aClaim(traits), other])).toEqual([`shop-lb Failed ${reason}`]);
  });

  it.each([
    ["has no finalizer", { finalizers: [] }],
    ["is being deleted", { deletionTimestamp: at(30) }],
    ["has addresses", { status: allocatedStatus("10.40.0.0", "10.40.0.3") }],
  ])("skips a claim that %s", (_what, traits) => {
    expect(outcome(aPool(), [aClaim(traits)])).toEqual([]);
  });

  it("limits the number of claims per pass", () => {
    const claims = Array.from({ length: 100 }, (_none, name) => aClaim({ name: `claim-${name}`, spec: { count: 1 } }));
    const pool = aPool({ spec: { cidr: "10.40.0.0/24" } });
    const { grants, deliveries, blockedClaims } = decide(pool, claims);
    expect([grants.length, deliveries.length, blockedClaims.length]).toEqual([mostGrants, mostGrants, 0]);
  });
});

describe("taken addresses", () => {
  const wants = (count: number) => aClaim({ name: "wants", spec: { count } });

  it.each<[string, Partial<PoolView> & { pool?: NetworkPool }, string]>([
    ["nothing", {}, "10.40.0.0"],
    ["those of a claim", { claims: [aClaim({ status: allocatedStatus("10.40.0.0", "10.40.0.3") })] }, "10.40.0.4"],
    ["those in quarantine", { claims: [resting("2026-01-01T01:00:01Z")] }, "10.40.0.1"],
    ["none after the quarantine", { claims: [resting("2026-01-01T01:00:00Z")] }, "10.40.0.0"],
    [
      "grants of a claim that is being deleted",
      { pool: withGrants(grant("going", "10.40.0.0")), claims: [aClaim({ name: "going", deletionTimestamp: at(1) })] },
      "10.40.0.1",
    ],
    ["grants of a deleted claim", { pool: withGrants(grant("gone", "10.40.0.0", 4)) }, "10.40.0.1"],
    ["no grants of a claim deleted long ago", { pool: withGrants(grant("gone", "10.40.0.0", 5)) }, "10.40.0.0"],
    [
      "grants of a deleted claim of the same name",
      {
        pool: withGrants(grant("same", "10.40.0.0")),
        claims: [aClaim({ name: "same", uid: "another", finalizers: [] })],
      },
      "10.40.0.1",
    ],
    [
      "addresses in use by the management cluster",
      { uses: [{ ip: "10.40.0.0", source: "node", address: { family: 4, value: 0x0a280000n } }] },
      "10.40.0.1",
    ],
  ])("include %s", (_what, { pool = aPool(), claims = [], ...more }, expected) => {
    const { grants } = decide(pool, [...claims, wants(1)], more);
    expect(grants.find(({ name }) => name === "wants")?.startAddress).toBe(expected);
  });

  function resting(quarantineUntil: string): IPAllocation {
    const status = { ...allocatedStatus("10.40.0.0", "10.40.0.0"), phase: "Released", quarantineUntil };
    return aClaim({ name: "resting", deletionTimestamp: at(2), status });
  }
});

describe("a grant", () => {
  it("is kept and delivered until its claim shows it", () => {
    const pool = withGrants(grant("shop-lb", "10.40.0.9", 60));
    const before = decide(pool, [aClaim()]);
    expect(before.grants).toEqual(pool.status?.grants);
    expect(before.deliveries).toEqual([
      { claim: aClaim(), range: { family: 4, first: 0x0a280009n, last: 0x0a280009n } },
    ]);
    const after = decide(pool, [aClaim({ status: allocatedStatus("10.40.0.9", "10.40.0.9") })]);
    expect([after.grants, after.deliveries]).toEqual([[], []]);
  });

  it("is not delivered to a claim that is being deleted, nor to a recreated one of the same name", () => {
    const pool = withGrants(grant("shop-lb", "10.40.0.9"));
    for (const traits of [{ deletionTimestamp: at(1) }, { uid: "another", finalizers: [] }]) {
      const { grants, deliveries } = decide(pool, [aClaim(traits)]);
      expect([grants.length, deliveries.length]).toEqual([1, 0]);
    }
  });
});
