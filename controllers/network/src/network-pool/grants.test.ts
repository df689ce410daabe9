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

/** Who gets what, and who is refused why, as short texts. */
function outcome(...given: Parameters<typeof decide>): string[] {
  const { grants, refusals } = decide(...given);
  return [
    ...grants.map(({ name, startAddress, endAddress }) => `${name} ${startAddress}-${endAddress}`),
    ...refusals.map(({ claim, refusal }) => `${claim.metadata.name} ${refusal.phase} ${refusal.reason}`),
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

describe("who is served", () => {
  it("is whoever came first, and of those of the same second the first by name", () => {
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

  it("is also who comes after one that cannot be", () => {
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
    ["by the pool's number for load balancers", { spec: { count: undefined } }, "10.40.0.0-10.40.0.7"],
    ["by the pool's number for nodes", { spec: { count: undefined, type: "nodes" } }, "10.40.0.0-10.40.0.4"],
    ["with a range of its own", pinned("10.40.0.5", "10.40.0.9"), "10.40.0.5-10.40.0.9"],
  ])("gets as many as there should be %s", (_how, traits, expected) => {
    expect(outcome(aPool(), [aClaim(traits)])).toEqual([`shop-lb ${expected}`]);
  });

  it.each<[string, Parameters<typeof aClaim>[0], string]>([
    ["outside", pinned("10.40.0.15", "10.40.0.16"), "PinnedOutside"],
    ["over two ranges", pinned("10.40.0.3", "10.40.0.8"), "PinnedOutside"],
    ["in what is reserved", pinned("10.40.0.2"), "PinnedReserved"],
    ["in what is taken", pinned("10.40.0.9"), "PinnedTaken"],
    ["of two families", pinned("10.40.0.1", "2001:db8::1"), "InvalidRange"],
  ])("is nobody who asks for a range %s", (_where, traits, reason) => {
    const ranges = [
      { start: "10.40.0.0", end: "10.40.0.3" },
      { start: "10.40.0.8", end: "10.40.0.15" },
    ];
    const pool = aPool({ spec: { reserved: [{ cidr: "10.40.0.2/31" }], tenantAllocation: { ranges } } });
    const other = aClaim({ name: "other", status: allocatedStatus("10.40.0.9", "10.40.0.9") });
    expect(outcome(pool, [aClaim(traits), other])).toEqual([`shop-lb Failed ${reason}`]);
  });

  it.each([
    ["is not held by its controller", { finalizers: [] }],
    ["is to be deleted", { deletionTimestamp: at(30) }],
    ["has addresses", { status: allocatedStatus("10.40.0.0", "10.40.0.3") }],
  ])("is nobody who %s", (_what, traits) => {
    expect(outcome(aPool(), [aClaim(traits)])).toEqual([]);
  });

  it("is not everybody at once", () => {
    const claims = Array.from({ length: 100 }, (_none, name) => aClaim({ name: `claim-${name}`, spec: { count: 1 } }));
    const pool = aPool({ spec: { cidr: "10.40.0.0/24" } });
    const { grants, deliveries, refusals } = decide(pool, claims);
    expect([grants.length, deliveries.length, refusals.length]).toEqual([mostGrants, mostGrants, 0]);
  });
});

describe("what is taken", () => {
  const wants = (count: number) => aClaim({ name: "wants", spec: { count } });

  it.each<[string, Partial<PoolView> & { pool?: NetworkPool }, string]>([
    ["nothing", {}, "10.40.0.0"],
    ["what a claim has", { claims: [aClaim({ status: allocatedStatus("10.40.0.0", "10.40.0.3") })] }, "10.40.0.4"],
    ["what rests", { claims: [resting("2026-01-01T01:00:01Z")] }, "10.40.0.1"],
    ["nothing that has rested", { claims: [resting("2026-01-01T01:00:00Z")] }, "10.40.0.0"],
    [
      "what is promised to a claim that goes",
      { pool: withGrants(grant("going", "10.40.0.0")), claims: [aClaim({ name: "going", deletionTimestamp: at(1) })] },
      "10.40.0.1",
    ],
    ["what was promised to one that is gone", { pool: withGrants(grant("gone", "10.40.0.0", 4)) }, "10.40.0.1"],
    ["nothing that was promised to one long gone", { pool: withGrants(grant("gone", "10.40.0.0", 5)) }, "10.40.0.0"],
    [
      "what was promised to a namesake",
      {
        pool: withGrants(grant("same", "10.40.0.0")),
        claims: [aClaim({ name: "same", uid: "another", finalizers: [] })],
      },
      "10.40.0.1",
    ],
    [
      "what the management cluster uses",
      { uses: [{ ip: "10.40.0.0", source: "node", address: { family: 4, value: 0x0a280000n } }] },
      "10.40.0.1",
    ],
  ])("is %s", (_what, { pool = aPool(), claims = [], ...more }, expected) => {
    const { grants } = decide(pool, [...claims, wants(1)], more);
    expect(grants.find(({ name }) => name === "wants")?.startAddress).toBe(expected);
  });

  function resting(quarantineUntil: string): IPAllocation {
    const status = { ...allocatedStatus("10.40.0.0", "10.40.0.0"), phase: "Released", quarantineUntil };
    return aClaim({ name: "resting", deletionTimestamp: at(2), status });
  }
});

describe("a grant", () => {
  it("stays and is delivered until its claim shows it", () => {
    const pool = withGrants(grant("shop-lb", "10.40.0.9", 60));
    const before = decide(pool, [aClaim()]);
    expect(before.grants).toEqual(pool.status?.grants);
    expect(before.deliveries).toEqual([
      { claim: aClaim(), range: { family: 4, first: 0x0a280009n, last: 0x0a280009n } },
    ]);
    const after = decide(pool, [aClaim({ status: allocatedStatus("10.40.0.9", "10.40.0.9") })]);
    expect([after.grants, after.deliveries]).toEqual([[], []]);
  });

  it("is not delivered to a claim that is to be deleted, nor to a namesake", () => {
    const pool = withGrants(grant("shop-lb", "10.40.0.9"));
    for (const traits of [{ deletionTimestamp: at(1) }, { uid: "another", finalizers: [] }]) {
      const { grants, deliveries } = decide(pool, [aClaim(traits)]);
      expect([grants.length, deliveries.length]).toEqual([1, 0]);
    }
  });
});
