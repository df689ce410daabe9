import fc from "fast-check";
import { BlockList } from "node:net";
import { describe, expect, it } from "vitest";
import { InvalidInput } from "./errors.ts";
import { parseIpAddress, requireIpAddress } from "./ip-address.ts";
import { addressInRange, normaliseIpRange, parseIpRange, rangeContains, rangesOverlap } from "./ip-range.ts";

const inRange = (range: string, address: string): boolean =>
  rangeContains(parseIpRange(range), requireIpAddress(address));

/** IPv4-mapped IPv6 has separate rows: Node distinguishes the two where we do not. */
const ipv6 = fc.ipV6().filter((text) => requireIpAddress(text).family === 6);
const ipv4Network = fc.tuple(fc.ipV4(), fc.nat({ max: 32 }));
const ipv6Network = fc.tuple(ipv6, fc.nat({ max: 128 }));
const anyNetwork = fc.oneof(ipv4Network, ipv6Network);

describe("IP ranges", () => {
  it.each<[string, bigint | number, string]>([
    ["10.96.0.0/16", 10n, "10.96.0.10"],
    ["10.96.3.7/12", 10, "10.96.0.10"],
    ["0.0.0.0/0", 10, "0.0.0.10"],
    ["192.0.2.0/24", 255n, "192.0.2.255"],
    ["fd00:10:96::/112", 16n, "fd00:10:96::10"],
    ["2001:db8::ffff/64", 0x10, "2001:db8::10"],
    ["::ffff:10.0.0.0/104", 1, "10.0.0.1"],
    ["::/0", (1n << 128n) - 1n, "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ])("%s has at %s the address %s", (range, offset, address) => {
    expect(addressInRange(range, offset)).toBe(address);
    expect(addressInRange(parseIpRange(range), offset)).toBe(address);
  });

  it.each([
    ["10.0.0.0/8", "10.255.255.255", true],
    ["10.0.0.0/8", "11.0.0.0", false],
    ["10.0.0.0/8", "::ffff:10.1.2.3", true],
    ["10.0.0.0/8", "::a01:203", false],
    ["0.0.0.0/0", "::1", false],
    ["::/0", "10.0.0.1", false],
    ["::ffff:10.0.0.0/104", "10.1.2.3", true],
    ["::ffff:10.0.0.0/104", "11.0.0.0", false],
    ["::ffff:10.0.0.0/8", "10.1.2.3", false],
    ["::ffff:10.0.0.0/8", "ff::1", true],
    ["fd00::/8", "fdff::1", true],
    ["2001:db8::/32", "2001:0DB8:0:0::1", true],
    ["2001:db8::/128", "2001:db8::1", false],
    ["192.0.2.7/32", "192.0.2.7", true],
  ])("%s and %s: %s", (range, address, isInside) => {
    expect(inRange(range, address)).toBe(isInside);
  });

  it.each([
    ["10.0.0.0/8", "10.1.0.0/16", true],
    ["10.0.0.0/9", "10.128.0.0/9", false],
    ["10.0.0.7/32", "10.0.0.0/29", true],
    ["0.0.0.0/0", "::/0", false],
    ["fd00::/8", "fd12::/64", true],
    ["fd12::/64", "fd12:0:0:1::/64", false],
  ])("%s and %s overlap: %s", (left, right, isOverlap) => {
    expect(rangesOverlap(parseIpRange(left), parseIpRange(right))).toBe(isOverlap);
    expect(rangesOverlap(parseIpRange(right), parseIpRange(left))).toBe(isOverlap);
  });

  it.each([
    ["10.96.3.7/12", "10.96.0.0/12"],
    ["192.0.2.7/32", "192.0.2.7/32"],
    ["2001:DB8:0::1/48", "2001:db8::/48"],
    ["::ffff:10.1.2.3/104", "10.0.0.0/8"],
    ["::ffff:10.1.2.3/95", "::fffe:0:0/95"],
    ["1.2.3.4/0", "0.0.0.0/0"],
  ])("%s is written %s", (text, expected) => {
    expect(normaliseIpRange(text)).toBe(expected);
  });

  it.each([
    "",
    "/16",
    "10.0.0.0",
    "10.0.0.0/33",
    "10.0.0.0/",
    "10.96.0.0/1x",
    "10.0.0/8",
    "::/129",
    "::ffff:10.0.0.0/129",
    "x/8",
    "10.0.0.0/8/8",
    "10.0.0.0/-1",
  ])("rejects %j as a range", (text) => {
    expect(() => parseIpRange(text)).toThrow(InvalidInput);
  });

  it.each([8n, 10n, -1n, 1n << 200n])("rejects the offset %s in a range of eight", (offset) => {
    expect(() => addressInRange("192.0.2.0/29", offset)).toThrow(
      "from 192.0.2.0 to 192.0.2.7 has no address at offset",
    );
  });

  it("contains every address that it returns", () => {
    fc.assert(
      fc.property(anyNetwork, fc.nat(), ([text, prefix], step) => {
        const range = parseIpRange(`${text}/${prefix}`);
        const offset = BigInt(step) % (range.last - range.first + 1n);
        const address = addressInRange(range, offset);
        expect(inRange(`${address}/${prefix}`, address)).toBe(true);
        expect(parseIpAddress(address)).toEqual({ family: range.family, value: range.first + offset });
      }),
    );
  });

  it("contains the same addresses as Node's BlockList", () => {
    fc.assert(
      fc.property(fc.oneof(fc.tuple(ipv4Network, fc.ipV4()), fc.tuple(ipv6Network, ipv6)), (input) => {
        const [[text, prefix], address] = input;
        const family = text.includes(":") ? "ipv6" : "ipv4";
        const list = new BlockList();
        list.addSubnet(text, prefix, family);
        expect(inRange(`${text}/${prefix}`, address)).toBe(list.check(address, family));
      }),
    );
  });

  it("is the same for any address used in its name, and overlaps when it contains an end of the other", () => {
    fc.assert(
      fc.property(anyNetwork, anyNetwork, (one, other) => {
        const [left, right] = [one, other].map(([text, prefix]) => `${text}/${prefix}`) as [string, string];
        expect(parseIpRange(normaliseIpRange(left))).toEqual(parseIpRange(left));
        expect(normaliseIpRange(normaliseIpRange(left))).toBe(normaliseIpRange(left));
        const [a, b] = [parseIpRange(left), parseIpRange(right)];
        const isNested =
          rangeContains(a, { family: b.family, value: b.first }) ||
          rangeContains(b, { family: a.family, value: a.first });
        expect(rangesOverlap(a, b)).toBe(isNested);
      }),
    );
  });
});
