import { formatIpAddress, parseIpRange } from "@butler/std";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressMap, type MapFacts, type MapPart, partCounts, rangeText } from "./address-map.ts";
import { isInside, mapRows } from "./map-rows.ts";

const now = new Date("2026-06-01T12:00:00Z");
const network = parseIpRange("10.40.0.0/24");
const address = (offset: number): string => formatIpAddress({ family: 4, value: network.first + BigInt(offset) });
const poolOf = (spec: object, status: object = {}) => ({
  spec: { cidr: "10.40.0.0/24", quarantine: "5m", ...spec },
  status,
});

function allocation(status: object, type: "nodes" | "loadbalancer" = "nodes"): MapFacts["allocations"][number] {
  return {
    metadata: { name: "a" },
    spec: { poolRef: { name: "p" }, tenantClusterRef: { name: "shop", namespace: "payments" }, type },
    status,
  };
}

const words = (parts: readonly MapPart[]): string[] =>
  parts.map((part) => `${rangeText(part)} ${part.kind} ${part.label}`.trim());

describe("the address map", () => {
  it("shows reserved, allocated, quarantined and free ranges", () => {
    const pool = poolOf(
      {
        reserved: [{ cidr: "10.40.0.0/28", description: "switches" }],
        tenantAllocation: { start: address(0), end: address(127) },
      },
      { infrastructureAllocations: [{ ip: address(20), source: "node" }] },
    );
    const allocations = [
      allocation({ phase: "Allocated", startAddress: address(14), endAddress: address(18) }),
      allocation({ phase: "Allocated", addresses: [address(33), address(32), address(40)] }, "loadbalancer"),
      allocation({
        phase: "Released",
        startAddress: address(50),
        endAddress: address(51),
        quarantineUntil: "2026-06-01T12:01:00Z",
      }),
      allocation({
        phase: "Released",
        startAddress: address(60),
        endAddress: address(61),
        quarantineUntil: "2026-06-01T11:59:00Z",
      }),
    ];
    expect(words(addressMap({ pool, allocations, now }))).toEqual([
      "10.40.0.0 – 10.40.0.15 reserved switches",
      "10.40.0.16 – 10.40.0.18 nodes payments/shop",
      "10.40.0.19 free",
      "10.40.0.20 platform node",
      "10.40.0.21 – 10.40.0.31 free",
      "10.40.0.32 – 10.40.0.33 loadbalancer payments/shop",
      "10.40.0.34 – 10.40.0.39 free",
      "10.40.0.40 loadbalancer payments/shop",
      "10.40.0.41 – 10.40.0.49 free",
      "10.40.0.50 – 10.40.0.51 resting payments/shop",
      "10.40.0.52 – 10.40.0.127 free",
      "10.40.0.128 – 10.40.0.255 outside",
    ]);
  });

  it("covers every address once, also with overlaps", () => {
    const span = fc.tuple(fc.nat(300), fc.nat(60)).map(([first, length]) => ({
      phase: "Allocated",
      startAddress: address(first),
      endAddress: address(first + length),
    }));
    const reserved = fc.array(
      fc.nat(15).map((index) => ({ cidr: `10.40.0.${index * 16}/28` })),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(fc.array(span, { maxLength: 12 }), reserved, (spans, kept) => {
        const parts = addressMap({
          pool: poolOf({ reserved: kept }),
          allocations: spans.map((each) => allocation(each)),
          now,
        });
        expect(parts[0]?.first).toBe(network.first);
        expect(parts.at(-1)?.last).toBe(network.last);
        for (const [index, part] of parts.entries()) {
          expect(part.last).toBeGreaterThanOrEqual(part.first);
          if (index > 0) expect(part.first).toBe((parts[index - 1]?.last ?? 0n) + 1n);
        }
        expect(partCounts(parts).reduce((sum, [, count]) => sum + count, 0n)).toBe(256n);
      }),
    );
  });

  it("draws the largest networks without enumerating addresses", () => {
    const pool = { spec: { cidr: "2001:db8::/32", quarantine: "5m" } };
    expect(addressMap({ pool, allocations: [], now })).toHaveLength(1);
  });
});

describe("the rows of the map", () => {
  it.each([
    ["10.40.0.0/16", 16, "10.40.0.0/20"],
    ["10.40.0.0/24", 16, "10.40.0.0/28"],
    ["10.40.0.0/28", 1, "10.40.0.0/28"],
    ["10.40.0.7/32", 1, "10.40.0.7/32"],
    ["2001:db8::/64", 16, "2001:db8::/68"],
  ])("split %s into %d networks", (cidr, count, first) => {
    const rows = mapRows(cidr, []);
    expect(rows).toHaveLength(count);
    expect(rows[0]?.cidr).toBe(first);
  });

  it("are filled completely", () => {
    const parts = addressMap({ pool: poolOf({ reserved: [{ cidr: "10.40.0.8/29" }] }), allocations: [], now });
    for (const { pieces } of mapRows("10.40.0.0/24", parts)) {
      expect(pieces.reduce((sum, { width }) => sum + width, 0)).toBeCloseTo(100, 3);
    }
    const [first] = mapRows("10.40.0.0/24", parts);
    expect(first?.pieces.map(({ at, width }) => [at, width])).toEqual([
      [0, 50],
      [50, 50],
    ]);
  });

  it.each([
    ["10.40.0.0/28", true],
    ["10.40.0.0/24", true],
    ["10.40.0.0/16", false],
    ["10.41.0.0/28", false],
    ["2001:db8::/64", false],
    ["<script>", false],
    ["", false],
  ])("can be zoomed into only within the network: %s", (cidr, expected) => {
    expect(isInside(cidr, "10.40.0.0/24")).toBe(expected);
  });
});
