import { parseIpAddress, parseIpRange } from "@butler/std";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeRange, statusNumber } from "./describe-range.ts";
import { range } from "./testing/networks.ts";
import { propertyRuns } from "./testing/property-runs.ts";

describe("a range in a status", () => {
  it.each([
    ["10.0.0.1", "10.0.0.1/32", 1n],
    ["10.0.0.8-10.0.0.15", "10.0.0.8/29", 8n],
    ["10.0.0.4-10.0.0.11", "10.0.0.4-10.0.0.11", 8n],
    ["10.0.0.0-10.0.0.4", "10.0.0.0-10.0.0.4", 5n],
    ["0.0.0.0-255.255.255.255", "0.0.0.0/0", 2n ** 32n],
    ["2001:db8::-2001:db8::ffff", "2001:db8::/112", 65_536n],
    ["2001:db8::1-2001:db8::2", "2001:db8::1-2001:db8::2", 2n],
    ["::/0", "::/0", 2n ** 128n],
  ])("%s is written %s", (written, text, count) => {
    const description = describeRange(range(written));
    expect(description).toMatchObject({ text, count });
    expect("cidr" in description).toBe(!text.includes("-"));
  });

  it("lists its addresses", () => {
    expect(describeRange(range("10.0.0.254-10.0.1.1"))).toEqual({
      startAddress: "10.0.0.254",
      endAddress: "10.0.1.1",
      text: "10.0.0.254-10.0.1.1",
      addresses: ["10.0.0.254", "10.0.0.255", "10.0.1.0", "10.0.1.1"],
      count: 4n,
    });
  });

  it("lists at most 65,536 addresses", () => {
    const { addresses } = describeRange(range("10.0.0.0/8"));
    expect(addresses).toHaveLength(65_536);
    expect(addresses.at(-1)).toBe("10.0.255.255");
  });

  it("parses back to the same range, and is a CIDR exactly if one exists for these addresses", () => {
    const start = fc.oneof(
      fc.record({ family: fc.constant(4 as const), first: fc.bigInt({ min: 0n, max: 2n ** 31n }) }),
      fc.record({ family: fc.constant(6 as const), first: fc.bigInt({ min: 2n ** 100n, max: 2n ** 127n }) }),
    );
    const shift = fc.constantFrom(0n, 1n, 2n, 3n, 5n);
    fc.assert(
      fc.property(start, shift, fc.integer({ min: 1, max: 40 }), ({ family, first: any }, bits, count) => {
        const first = (any >> bits) << bits;
        const given = { family, first, last: first + BigInt(count) - 1n };
        const { cidr, startAddress, endAddress, addresses } = describeRange(given);
        expect(parseIpAddress(startAddress)?.value).toBe(given.first);
        expect(parseIpAddress(endAddress)?.value).toBe(given.last);
        expect(addresses.length).toBe(count);
        if (cidr !== undefined) expect(parseIpRange(cidr)).toEqual(given);
        const widest = family === 4 ? 32 : 128;
        const networks = Array.from({ length: 7 }, (_, bit) => parseIpRange(`${startAddress}/${widest - bit}`));
        expect(cidr !== undefined).toBe(networks.some((each) => each.first === first && each.last === given.last));
      }),
      { numRuns: propertyRuns.description },
    );
  });
});

it.each([
  [0n, 0],
  [2n ** 53n - 1n, Number.MAX_SAFE_INTEGER],
  [2n ** 53n, Number.MAX_SAFE_INTEGER],
  [2n ** 80n, Number.MAX_SAFE_INTEGER],
])("writes the count %s as %s", (count, expected) => {
  expect(statusNumber(count)).toBe(expected);
});
