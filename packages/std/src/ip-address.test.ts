import fc from "fast-check";
import { BlockList, isIP } from "node:net";
import { describe, expect, it } from "vitest";
import { InvalidInput } from "./errors.ts";
import {
  endpointText,
  formatIpAddress,
  ipAddressBytes,
  ipAddressFrom,
  normaliseIpAddress,
  parseIpAddress,
  requireIpAddress,
} from "./ip-address.ts";

const anyAddress = fc.oneof(fc.ipV4(), fc.ipV6());

describe("an IP address", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1"],
    ["2001:DB8:0:0:0:0:0:1", "2001:db8::1"],
    ["2001:0db8::0001", "2001:db8::1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["::ffff:c000:201", "192.0.2.1"],
    ["0:0:0:0:0:ffff:0:0", "0.0.0.0"],
    ["::", "::"],
    ["::192.0.2.1", "::c000:201"],
  ])("written as %s is formatted as %s", (text, expected) => {
    expect(normaliseIpAddress(text)).toBe(expected);
  });

  it.each([
    "",
    "localhost",
    "10.0.0",
    "192.0.2",
    "192.0.2.256",
    "192.0.02.1",
    "010.0.0.1",
    "0x7f.0.0.1",
    "2130706433",
    "1.2.3.4/8",
    "192.0.2.0/24",
    "fe80::1%eth0",
    "fe80::1%25eth0",
    "[::1]",
    "::1]:80/[::1",
    "::1\0",
    " ::1",
    "1::2::3",
    "1:2:3:4:5:6:7",
    "::ffff:010.0.0.1",
  ])("rejects %j", (text) => {
    expect(parseIpAddress(text)).toBeUndefined();
    expect(() => normaliseIpAddress(text)).toThrow(InvalidInput);
  });

  it("accepts what Node accepts, except zones", () => {
    const nearly = fc.oneof(anyAddress, fc.string({ unit: fc.constantFrom(...Array.from("0123456789abcfF:.")) }));
    const cut = fc.tuple(nearly, fc.nat({ max: 40 }), fc.constantFrom("", ":", "::", ".", "0", "1"));
    fc.assert(
      fc.property(cut, ([text, at, inserted]) => {
        const changed = `${text.slice(0, at)}${inserted}${text.slice(at + inserted.length)}`;
        for (const one of [text, changed]) expect(parseIpAddress(one) !== undefined).toBe(isIP(one) !== 0);
      }),
      { numRuns: 2000 },
    );
  });

  it("is equal in every spelling, and round-trips through bytes", () => {
    fc.assert(
      fc.property(anyAddress, (text) => {
        const address = requireIpAddress(text);
        const spelling = formatIpAddress(address);
        expect(parseIpAddress(spelling)).toEqual(address);
        expect(ipAddressFrom(ipAddressBytes(address))).toEqual(address);
        const list = new BlockList();
        list.addAddress(text, text.includes(":") ? "ipv6" : "ipv4");
        expect(list.check(spelling, spelling.includes(":") ? "ipv6" : "ipv4")).toBe(true);
      }),
    );
  });

  it.each([
    ["192.0.2.1", 443, "192.0.2.1:443"],
    ["2001:db8::1", 6443, "[2001:db8::1]:6443"],
    ["::ffff:192.0.2.1", 1, "[::ffff:192.0.2.1]:1"],
    ["blue.example.com", "8443", "blue.example.com:8443"],
  ])("and a port: %s and %s are formatted as %s", (host, port, expected) => {
    expect(endpointText({ host, port })).toBe(expected);
    expect(URL.canParse(`https://${endpointText({ host, port })}`)).toBe(true);
  });

  it("has its most significant byte first", () => {
    expect([...ipAddressBytes(requireIpAddress("192.0.2.1"))]).toEqual([192, 0, 2, 1]);
    expect([...ipAddressBytes(requireIpAddress("2001:db8::1"))]).toEqual([
      0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1,
    ]);
  });

  it.each([0, 3, 5, 8, 15, 17, 32])("cannot have %i bytes", (length) => {
    expect(() => ipAddressFrom(Buffer.alloc(length))).toThrow(InvalidInput);
  });
});
