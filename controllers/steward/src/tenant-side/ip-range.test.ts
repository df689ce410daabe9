import { InvalidInput } from "@butler/std";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressInRange, parseIpAddress, parseIpRange, rangeContains } from "./ip-range.ts";

const inRange = (range: string, address: string): boolean => {
  const parsed = parseIpAddress(address);
  return parsed !== undefined && rangeContains(parseIpRange(range), parsed);
};

describe("IP ranges", () => {
  it.each([
    ["10.96.0.0/16", 10n, "10.96.0.10"],
    ["10.96.3.7/12", 10n, "10.96.0.10"],
    ["192.0.2.0/24", 255n, "192.0.2.255"],
    ["fd00:10:96::/112", 16n, "fd00:10:96::10"],
    ["::/0", (1n << 128n) - 1n, "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ])("%s has at %s the address %s", (range, offset, address) => {
    expect(addressInRange(parseIpRange(range), offset)).toBe(address);
  });

  it.each([
    ["10.0.0.0/8", "10.255.255.255", true],
    ["10.0.0.0/8", "11.0.0.0", false],
    ["10.0.0.0/8", "::ffff:10.1.2.3", true],
    ["10.0.0.0/8", "::a01:203", false],
    ["0.0.0.0/0", "::1", false],
    ["fd00::/8", "fdff::1", true],
    ["2001:db8::/32", "2001:0DB8:0:0::1", true],
    ["2001:db8::/128", "2001:db8::1", false],
    ["192.0.2.7/32", "192.0.2.7", true],
  ])("%s and %s: %s", (range, address, isInside) => {
    expect(inRange(range, address)).toBe(isInside);
  });

  it.each(["", "10.0.0.0", "10.0.0.0/33", "10.0.0.0/", "10.0.0/8", "::/129", "x/8", "10.0.0.0/8/8", "10.0.0.0/-1"])(
    "refuses %j as a range",
    (text) => {
      expect(() => parseIpRange(text)).toThrow(InvalidInput);
    },
  );

  it.each(["", "10.0.0", "010.0.0.1", "1.2.3.4/8", "fe80::1%eth0", "name"])("takes %j for no address", (text) => {
    expect(parseIpAddress(text)).toBeUndefined();
  });

  it("refuses an address beyond the end", () => {
    expect(() => addressInRange(parseIpRange("192.0.2.0/29"), 10n)).toThrow(InvalidInput);
  });

  it("reads back every address that it gives, and has it inside", () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), fc.nat({ max: 32 }), fc.nat(), (text, prefix, step) => {
        const range = parseIpRange(`${text}/${prefix}`);
        const address = addressInRange(range, BigInt(step) % (range.last - range.first + 1n));
        expect(inRange(`${address}/${prefix}`, address)).toBe(true);
        expect(parseIpAddress(address)).toMatchObject({
          value: range.first + (BigInt(step) % (range.last - range.first + 1n)),
        });
      }),
    );
  });
});
