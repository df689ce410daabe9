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
    ["of no network", undefined, { cidr: "10.40.0.0/99" }, "INVALID spec.cidr: 10.40.0.0/99 is not a network"],
    ["with a range", undefined, ranges(first)],
    ["with a range of one address", undefined, ranges(["10.40.1.1", "10.40.1.1"])],
    ["with a range that is none", undefined, ranges(["10.40.1.0", "x"]), "INVALID spec.tenantAllocation.ranges[0]"],
    [
      "with a range from its end",
      undefined,
      ranges(["10.40.1.9", "10.40.1.1"]),
      "start and end must be addresses in order",
    ],
    ["with a range outside", undefined, ranges(["10.41.0.0", "10.41.0.9"]), "is not inside 10.40.0.0/16"],
    ["with a range that ends outside", undefined, ranges(["10.40.255.0", "10.41.0.0"]), "is not inside 10.40.0.0/16"],
    ["with ranges in order", undefined, ranges(first, ["10.40.2.0", "10.40.2.9"])],
    [
      "with ranges out of order",
      undefined,
      ranges(["10.40.2.0", "10.40.2.9"], first),
      "10.40.1.0 must come after the end of the range before it",
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
      "must be addresses in order",
    ],
    ["with something reserved", undefined, reserved("10.40.0.0/24")],
    [
      "with something reserved outside",
      undefined,
      reserved("10.41.0.0/24"),
      "INVALID spec.reserved[0].cidr: 10.41.0.0/24 is not inside 10.40.0.0/16",
    ],
    ["with more reserved than there is", undefined, reserved("10.0.0.0/8"), "is not inside 10.40.0.0/16"],
    ["with something reserved inside a range", undefined, { ...ranges(first), ...reserved("10.40.1.16/28") }],
    ["with something reserved beside a range", undefined, { ...ranges(first), ...reserved("10.40.2.0/28") }],
    [
      "with something reserved across the end of a range",
      undefined,
      { ...ranges(["10.40.1.0", "10.40.1.20"]), ...reserved("10.40.1.16/28") },
      "lies across the border of a range",
    ],
    [
      "with something reserved around a range",
      undefined,
      { ...ranges(["10.40.1.4", "10.40.1.9"]), ...reserved("10.40.1.0/28") },
      "lies across the border of a range",
    ],
    ["that grows", {}, { cidr: "10.0.0.0/8" }],
    ["that shrinks", {}, { cidr: "10.40.0.0/17" }, "NOT_ALLOWED spec.cidr: must contain 10.40.0.0/16"],
    ["that moves", {}, { cidr: "10.41.0.0/16" }, "NOT_ALLOWED spec.cidr"],
    ["with ranges that keep what is in use", {}, ranges(["10.40.1.0", "10.40.1.9"])],
    [
      "with ranges that leave out what is in use",
      {},
      ranges(["10.40.2.0", "10.40.2.9"]),
      "IN_USE spec.tenantAllocation.ranges: IPAllocation shop-lb has 10.40.1.1, 10.40.1.2",
    ],
    [
      "with ranges that leave out a part",
      {},
      ranges(["10.40.1.2", "10.40.1.9"]),
      "has 10.40.1.1, which no range would contain",
    ],
    ["that gives all ranges up", ranges(first), {}],
    ["that is wrong and stays as it is", { cidr: "10.40.0.0/99" }, { cidr: "10.40.0.0/99" }],
  ])("%s", (_what, before, after, refusal) => {
    const allocations = [
      anAllocation(["10.40.1.1", "10.40.1.2"]),
      anAllocation(["10.40.9.9"], { metadata: { name: "pending" }, status: { phase: "Pending" } }),
    ];
    const pool = aPool({ spec: after });
    const reasons = decideNetworkPool({ pool, before: before && aPool({ spec: before }), allocations });
    const texts = reasons.map(({ code, path, message }) => `${code} ${path}: ${message}`);
    if (refusal === undefined) expect(texts).toEqual([]);
    else {
      expect(texts).toHaveLength(1);
      expect(texts[0]).toContain(refusal);
    }
  });

  it("says of each allocation that would be left out so", () => {
    const allocations = ["a", "b"].map((name) => anAllocation(["10.40.1.1"], { metadata: { name } }));
    const pool = aPool({ spec: ranges(["10.40.2.0", "10.40.2.9"]) });
    expect(decideNetworkPool({ pool, before: aPool(), allocations })).toHaveLength(2);
  });

  it("stays while addresses of it are in use, and only then", () => {
    const other = aPool({ metadata: { name: "other" } });
    const [denial] = decideNetworkPoolDeletion(aPool(), [anAllocation(["10.40.1.1"])]);
    expect(denial?.message).toBe("1 IPAllocation(s) have addresses of this pool: shop-lb");
    expect(decideNetworkPoolDeletion(other, [anAllocation(["10.40.1.1"])])).toEqual([]);
    expect(decideNetworkPoolDeletion(aPool(), [anAllocation([], { status: { phase: "Released" } })])).toEqual([]);
  });

  it("warns of start and end that are not read", () => {
    const both = {
      tenantAllocation: { start: "10.40.1.0", end: "10.40.1.9", ranges: [{ start: "10.40.2.0", end: "10.40.2.9" }] },
    };
    expect(networkPoolWarnings(aPool({ spec: both }))).toHaveLength(1);
    expect(networkPoolWarnings(aPool({ spec: ranges(first) }))).toEqual([]);
  });
});
