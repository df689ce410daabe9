import { InvalidInput } from "@butler/std";
import { describe, expect, it } from "vitest";
import { poolShapeOf, type PoolSpec } from "./pool-shape.ts";
import { range } from "./testing/networks.ts";

const cidr = "10.40.0.0/16";
const part = (start: string, end: string) => ({ start, end });

describe("the shape of a pool", () => {
  it("is parsed from its spec", () => {
    const spec = {
      cidr,
      reserved: [{ cidr: "10.40.0.7/24" }],
      ranges: [part("10.40.1.0", "10.40.1.9"), part("10.40.1.10", "10.40.2.0")],
    };
    expect(poolShapeOf(spec)).toEqual({
      network: range(cidr),
      reserved: [range("10.40.0.0/24")],
      ranges: [range("10.40.1.0-10.40.1.9"), range("10.40.1.10-10.40.2.0")],
    });
  });

  it("can be IPv6", () => {
    const spec = { cidr: "2001:db8::/48", ranges: [part("2001:db8::1", "2001:db8::ffff")] };
    expect(poolShapeOf(spec).ranges).toEqual([range("2001:db8::1-2001:db8::ffff")]);
  });

  it.each<[PoolSpec, string]>([
    [{ cidr: "10.40.0.0", ranges: [] }, 'cidr: "10.40.0.0" is not a valid CIDR'],
    [
      { cidr, reserved: [{ cidr: "10.40.0.0/28" }, { cidr: "x" }], ranges: [] },
      'reserved[1].cidr: "x" is not a valid CIDR',
    ],
    [{ cidr, reserved: [{ cidr: "10.41.0.0/28" }], ranges: [] }, "reserved[0].cidr: must be within 10.40.0.0/16"],
    [{ cidr, reserved: [{ cidr: "::/128" }], ranges: [] }, "reserved[0].cidr: must be within 10.40.0.0/16"],
    [{ cidr, ranges: [part("10.40.0", "10.40.1.0")] }, 'ranges[0].start: "10.40.0" is not an IP address'],
    [{ cidr, ranges: [part("10.40.0.0", "")] }, 'ranges[0].end: "" is not an IP address'],
    [{ cidr, ranges: [part("10.40.0.9", "10.40.0.8")] }, "ranges[0]: 10.40.0.9 to 10.40.0.8 is not a valid range"],
    [{ cidr, ranges: [part("10.40.0.9", "::1")] }, "ranges[0]: 10.40.0.9 to ::1 is not a valid range"],
    [{ cidr, ranges: [part("10.40.255.0", "10.41.0.0")] }, "ranges[0]: must be within 10.40.0.0/16"],
    [
      { cidr, ranges: [part("10.40.0.8", "10.40.0.9"), part("10.40.0.9", "10.40.0.12")] },
      "ranges[1]: must start after ranges[0]",
    ],
    [
      { cidr, ranges: [part("10.40.1.0", "10.40.1.9"), part("10.40.0.0", "10.40.0.9")] },
      "ranges[1]: must start after ranges[0]",
    ],
  ])("is rejected with the invalid field: %j", (spec, message) => {
    expect(() => poolShapeOf(spec)).toThrow(InvalidInput);
    expect(() => poolShapeOf(spec)).toThrow(expect.objectContaining({ message, hint: expect.any(String) }));
  });
});
