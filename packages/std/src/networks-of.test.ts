import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseIpRange } from "./ip-range.ts";
import { networksOf } from "./networks-of.ts";
import { requireIpAddress } from "./ip-address.ts";

const range = (first: string, last: string) => {
  const { family, value } = requireIpAddress(first);
  return { family, first: value, last: requireIpAddress(last).value };
};

describe("the networks that make up a range", () => {
  it.each([
    ["10.0.0.0", "10.0.0.255", ["10.0.0.0/24"]],
    ["10.0.0.8", "10.0.0.15", ["10.0.0.8/29"]],
    ["10.0.0.1", "10.0.0.1", ["10.0.0.1/32"]],
    ["10.0.0.1", "10.0.0.6", ["10.0.0.1/32", "10.0.0.2/31", "10.0.0.4/31", "10.0.0.6/32"]],
    ["0.0.0.0", "255.255.255.255", ["0.0.0.0/0"]],
    ["2001:db8::", "2001:db8::1:ffff", ["2001:db8::/111"]],
    ["::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", ["::/0"]],
  ])("from %s to %s are %j", (first, last, expected) => {
    expect(networksOf(range(first, last))).toEqual(expected);
  });

  it("cover the range without gaps or overlaps", () => {
    const ends = fc.tuple(fc.bigInt({ min: 0n, max: 0xffffffffn }), fc.bigInt({ min: 0n, max: 0xffffn }));
    fc.assert(
      fc.property(ends, ([first, length]) => {
        const last = first + length > 0xffffffffn ? 0xffffffffn : first + length;
        const parts = networksOf({ family: 4, first, last }).map((text) => parseIpRange(text));
        expect(parts[0]?.first).toBe(first);
        expect(parts.at(-1)?.last).toBe(last);
        for (const [at, part] of parts.entries()) {
          if (at > 0) expect(part.first).toBe((parts[at - 1]?.last ?? 0n) + 1n);
        }
        expect(parts.length).toBeLessThanOrEqual(62);
      }),
    );
  });
});
