import { InvalidInput } from "@butler/std";
import fc from "fast-check";
import { BlockList } from "node:net";
import { describe, expect, it } from "vitest";
import { ipAddressBytes, ipAddressFrom, normaliseIpAddress } from "./ip-address.ts";

describe("normaliseIpAddress", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1"],
    ["2001:DB8:0:0:0:0:0:1", "2001:db8::1"],
    ["2001:0db8::0001", "2001:db8::1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["::ffff:c000:201", "192.0.2.1"],
    ["0:0:0:0:0:ffff:0:0", "0.0.0.0"],
    ["::", "::"],
    ["::192.0.2.1", "::c000:201"],
  ])("writes %s as %s", (text, expected) => {
    expect(normaliseIpAddress(text)).toBe(expected);
  });

  it.each(["", "localhost", "192.0.2", "192.0.2.256", "192.0.02.1", "fe80::1%eth0", "192.0.2.0/24", "[::1]", "::1\0"])(
    "refuses %j",
    (text) => {
      expect(() => normaliseIpAddress(text)).toThrow(InvalidInput);
    },
  );

  it("means the same address, and bytes give it back", () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
        const address = normaliseIpAddress(text);
        expect(ipAddressFrom(ipAddressBytes(text))).toBe(address);
        expect(normaliseIpAddress(address)).toBe(address);
        const list = new BlockList();
        list.addAddress(text, text.includes(":") ? "ipv6" : "ipv4");
        expect(list.check(address, address.includes(":") ? "ipv6" : "ipv4")).toBe(true);
      }),
    );
  });
});

describe("ipAddressFrom", () => {
  it.each([0, 3, 5, 8, 15, 17, 32])("refuses %i bytes", (length) => {
    expect(() => ipAddressFrom(Buffer.alloc(length))).toThrow(InvalidInput);
  });
});
