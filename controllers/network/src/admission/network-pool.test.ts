import { describe, expect, it } from "vitest";
import { decideNetworkPool, decideNetworkPoolDeletion, networkPoolWarnings } from "./network-pool.ts";
import { anAllocation, aPool } from "./testing/objects.ts";

type Plain = Record<string, unknown>;

const ranges = (...pairs: [string, string][]): Plain => ({
  tenantAllocation: { ranges: pairs.map(([start, end]) => ({ start, end })) },
});
const reserved = (...cidrs: string[]): Plain => ({ reserved: cidrs.map((cidr) => ({ cidr })) });
const first: [string, string] = ["10.40.1.0", "10.40.1.255"];

describe("a pool", () => {
  it.each<[string, Plain | undefined, Plain, string?]>([
    ["of a whole network", undefined, {}],
    [
      "of IPv6",
      undefined,
      { cidr: "2001:db8::/64", ...ranges(["2001:db8::10", "2001:db8::20"]), ...reserved("2001:db8::18/125") },
    ],
    ["of no network", undefined, { cidr: "10.40.0.0/99" }, "INVALID spec.cidr: 10.40.0.0/99 is not a valid CIDR"],
    ["with a range", undefined, ranges(first)],
    ["with a range of one address", undefined, ranges(["10.40.1.1", "10.40.1.1"])],
    ["with a range that is none", undefined, ranges(["10.40.1.0", "x"]), "INVALID spec.tenantAllocation.ranges[0]"],
    [
      "with a range from its end",
      undefined,
      ranges(["10.40.1.9", "10.40.1.1"]),
      "start and end must be addresses in ascending order",
    ],
    ["with a range outside", undefined, ranges(["10.41.0.0", "10.41.0.9"]), "is not within 10.40.0.0/16"],
    ["with a range that ends outside", undefined, ranges(["10.40.255.0", "10.41.0.0"]), "is not within 10.40.0.0/16"],
    ["with ranges in order", undefined, ranges(first, ["10.40.2.0", "10.40.2.9"])],
    [
      "with ranges out of order",
      undefined,
      ranges(["10.40.2.0", "10.40.2.9"], first),
      "10.40.1.0 must be greater than the end of the previous range",
    ],
    [
      "with ranges that overlap",
      undefined,
      ranges(first, ["10.40.1.255", "10.40.2.9"]),
      "INVALID spec.tenantAllocation.ranges[1]",
    ],
    [
      "with the older start and end, reversed",
      undefined,
      { tenantAllocation: { start: "10.40.2.0", end: "10.40.1.0" } },
      "must be addresses in ascending order",
    ],
    ["with something reserved", undefined, reserved("10.40.0.0/24")],
    [
      "with something reserved outside",
      undefined,
      reserved("10.41.0.0/24"),
      "INVALID spec.reserved[0].cidr: 10.41.0.0/24 is not within 10.40.0.0/16",
    ],
    ["with more reserved than there is", undefined, reserved("10.0.0.0/8"), "is not within 10.40.0.0/16"],
    ["with something reserved inside a range", undefined, { ...ranges(first), ...reserved("10.40.1.16/28") }],
    ["with something reserved beside a range", undefined, { ...ranges(first), ...reserved("10.40.2.0/28") }],
    [
      "with something reserved across the end of a range",
      undefined,
      { ...ranges(["10.40.1.0", "10.40.1.20"]), ...reserved("10.40.1.16/28") },
      "partly overlaps a tenant range",
    ],
    [
      "with something reserved around a range",
      undefined,
      { ...ranges(["10.40.1.4", "10.40.1.9"]), ...reserved("10.40.1.0/28") },
      "partly overlaps a tenant range",
    ],
    ["that grows", {}, { cidr: "10.40.0.0/13" }],
    [
      "that shrinks",
      {},
      { cidr: "10.40.0.0/17" },
      "NOT_ALLOWED spec.cidr: must contain the previous network 10.40.0.0/16",
    ],
    ["that moves", {}, { cidr: "10.41.0.0/16" }, "NOT_ALLOWED spec.cidr"],
    ["with ranges that keep what is in use", {}, ranges(["10.40.1.0", "10.40.1.9"])],
    [
      "with ranges that leave out what is in use",
      {},
      ranges(["10.40.2.0", "10.40.2.9"]),
      "IN_USE spec.tenantAllocation.ranges: IPAllocation shop-lb uses 10.40.1.1, 10.40.1.2",
    ],
    [
      "with ranges that leave out a part",
      {},
      ranges(["10.40.1.2", "10.40.1.9"]),
      "uses 10.40.1.1, which would be outside all ranges",
    ],
    ["that gives all ranges up", ranges(first), {}],
    ["that reserves what is free", {}, reserved("10.40.4.0/24")],
    [
      "that reserves what is in use",
      {},
      reserved("10.40.1.0/31"),
      "IN_USE spec.reserved: IPAllocation shop-lb uses 10.40.1.1, which would be reserved",
    ],
    ["that keeps reserved what was", reserved("10.40.1.0/24"), reserved("10.40.1.0/24", "10.40.4.0/24")],
    ["that grows up to another", {}, { cidr: "10.40.0.0/12" }],
    [
      "that grows into another",
      {},
      { cidr: "10.0.0.0/8" },
      "DUPLICATE spec.cidr: 10.99.0.0 to 10.99.255.255 overlaps NetworkPool butler-system/neighbour",
    ],
    ["over another, with ranges beside it", {}, { cidr: "10.0.0.0/8", ...ranges(["10.40.0.0", "10.98.255.255"]) }],
    [
      "with a range that another has",
      {},
      { cidr: "10.0.0.0/8", ...ranges(["10.40.0.0", "10.99.0.0"]) },
      "DUPLICATE spec.tenantAllocation.ranges: 10.99.0.0 overlaps NetworkPool",
    ],
    ["that is made in the place of another", undefined, { cidr: "10.99.7.0/24" }, "DUPLICATE spec.cidr: 10.99.7.0 to"],
    ["that had addresses of another before", { cidr: "10.98.0.0/15" }, { cidr: "10.98.0.0/15", quarantine: "1m" }],
    ["that is wrong and stays as it is", { cidr: "10.40.0.0/99" }, { cidr: "10.40.0.0/99" }],
  ])("%s", (_what, before, after, refusal) => {
    const allocations = [
      anAllocation(["10.40.1.1", "10.40.1.2"]),
      anAllocation(["10.40.9.9"], { metadata: { name: "pending" }, status: { phase: "Pending" } }),
    ];
    const pool = aPool({ spec: after });
    const neighbour = aPool({ metadata: { name: "neighbour" }, spec: { cidr: "10.99.0.0/16" } });
    const pools = [neighbour, ...(before === undefined ? [] : [aPool({ spec: before })])];
    const reasons = decideNetworkPool({ pool, before: before && aPool({ spec: before }), allocations, pools });
    const texts = reasons.map(({ code, path, message }) => `${code} ${path}: ${message}`);
    if (refusal === undefined) expect(texts).toEqual([]);
    else {
      expect(texts).toHaveLength(1);
      expect(texts[0]).toContain(refusal);
    }
  });

  it("reports each allocation that would be outside", () => {
    const allocations = ["a", "b"].map((name) => anAllocation(["10.40.1.1"], { metadata: { name } }));
    const pool = aPool({ spec: ranges(["10.40.2.0", "10.40.2.9"]) });
    expect(decideNetworkPool({ pool, before: aPool(), allocations, pools: [] })).toHaveLength(2);
  });

  it("counts quarantined and granted addresses as in use", () => {
    const resting = anAllocation(["10.40.1.5"], { metadata: { name: "resting" }, status: { phase: "Released" } });
    const grant = { uid: "1", name: "promised", startAddress: "10.40.1.6", endAddress: "10.40.1.7", grantedAt: "" };
    const before = { ...aPool(), status: { grants: [grant] } };
    const judge = (spec: Plain) =>
      decideNetworkPool({ pool: aPool({ spec }), before, allocations: [resting], pools: [] }).map(
        ({ message }) => message,
      );
    expect(judge(ranges(["10.40.1.5", "10.40.1.7"]))).toEqual([]);
    expect(judge(ranges(["10.40.1.6", "10.40.1.7"]))).toEqual([
      "IPAllocation resting uses 10.40.1.5, which would be outside all ranges",
    ]);
    expect(judge(ranges(["10.40.1.5", "10.40.1.6"]))).toEqual([
      "IPAllocation promised uses 10.40.1.7, which would be outside all ranges",
    ]);
    expect(judge(reserved("10.40.1.4/30"))).toEqual([
      "IPAllocation resting uses 10.40.1.5, which would be reserved",
      "IPAllocation promised uses 10.40.1.6 to 10.40.1.7, which would be reserved",
    ]);
  });

  it("detects loss in the middle of a block with only a first and last address", () => {
    const status = { addresses: undefined, startAddress: "10.40.0.0", endAddress: "10.40.255.255" };
    const judge = (spec: Plain) =>
      decideNetworkPool({
        pool: aPool({ spec }),
        before: aPool(),
        allocations: [anAllocation([], { status })],
        pools: [],
      });
    expect(judge(reserved("10.40.9.0/24"))[0]?.message).toContain("uses 10.40.9.0 to 10.40.9.255, which would be");
    const gap = ranges(["10.40.0.0", "10.40.7.255"], ["10.40.9.0", "10.40.255.255"]);
    expect(judge(gap)[0]?.message).toContain("uses 10.40.8.0 to 10.40.8.255, which would be outside all ranges");
  });

  it("rejects an overlap with a pool in another namespace, also for IPv6", () => {
    const other = aPool({ metadata: { namespace: "elsewhere" }, spec: { cidr: "2001:db8::/56" } });
    const judge = (cidr: string) =>
      decideNetworkPool({ pool: aPool({ spec: { cidr } }), before: undefined, allocations: [], pools: [other] });
    expect(judge("2001:db8:0:100::/64")).toEqual([]);
    expect(judge("2001:db8:0:ff::/64")[0]?.message).toBe(
      "2001:db8:0:ff:: to 2001:db8:0:ff:ffff:ffff:ffff:ffff overlaps NetworkPool elsewhere/datacenter; " +
        "give the two pools disjoint ranges",
    );
  });

  it("cannot be deleted while its addresses are in use", () => {
    const other = aPool({ metadata: { name: "other" } });
    const [denial] = decideNetworkPoolDeletion(aPool(), [anAllocation(["10.40.1.1"])]);
    expect(denial?.message).toBe("1 IPAllocation(s) use addresses of this pool: shop-lb");
    expect(decideNetworkPoolDeletion(other, [anAllocation(["10.40.1.1"])])).toEqual([]);
    expect(decideNetworkPoolDeletion(aPool(), [anAllocation([], { status: { phase: "Released" } })])).toEqual([]);
  });

  it("warns about ignored start and end", () => {
    const both = {
      tenantAllocation: { start: "10.40.1.0", end: "10.40.1.9", ranges: [{ start: "10.40.2.0", end: "10.40.2.9" }] },
    };
    expect(networkPoolWarnings(aPool({ spec: both }))).toHaveLength(1);
    expect(networkPoolWarnings(aPool({ spec: ranges(first) }))).toEqual([]);
  });
});
