import fc from "fast-check";
import { BlockList, isIP } from "node:net";
import { describe, expect, it } from "vitest";
import { addressInRange } from "./ip-range.ts";

const offset = { ipv4: 10n, ipv6: 16n };

describe("an address in a range", () => {
  it.each<[string, string | undefined]>([
    ["10.96.0.0/16", "10.96.0.10"],
    ["10.96.3.7/12", "10.96.0.10"],
    ["192.168.1.0/28", "192.168.1.10"],
    ["0.0.0.0/0", "0.0.0.10"],
    ["fd00:10:96::/108", "fd00:10:96::10"],
    ["fd00::1234:0/112", "fd00::1234:10"],
    ["::ffff:1.2.3.0/120", "::ffff:102:310"],
    ["192.168.1.0/29", undefined],
    ["fd00::/124", undefined],
    ["10.96.0.0", undefined],
    ["10.96.0.0/33", undefined],
    ["10.96.0.0/16/8", undefined],
    ["10.96.0/16", undefined],
    ["services/16", undefined],
    ["", undefined],
  ])("of %s is %s", (range, expected) => {
    expect(addressInRange(range, offset)).toBe(expected);
  });

  it("lies in the range, and is the same whatever address of the range stands for it", () => {
    const range = fc.oneof(
      fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 28 })),
      fc.tuple(fc.ipV6(), fc.integer({ min: 0, max: 123 })),
    );
    fc.assert(
      fc.property(range, ([address, prefix]) => {
        const found = addressInRange(`${address}/${prefix}`, offset) ?? "";
        const family = isIP(address) === 4 ? "ipv4" : "ipv6";
        const list = new BlockList();
        list.addSubnet(address, prefix, family);
        expect(list.check(found, family)).toBe(true);
        expect(addressInRange(`${found}/${prefix}`, offset)).toBe(found);
      }),
    );
  });
});
