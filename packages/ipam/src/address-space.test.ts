import { InvalidInput } from "@butler/std";
import { describe, expect, it } from "vitest";
import { AddressSpace, type PinRefusal } from "./address-space.ts";
import { describeRange } from "./describe-range.ts";
import { range } from "./testing/networks.ts";

interface PoolText {
  readonly network: string;
  readonly ranges?: readonly string[];
  readonly reserved?: readonly string[];
  readonly taken?: readonly string[];
}

function spaceOf({ network, ranges = [], reserved = [], taken = [] }: PoolText): AddressSpace {
  const shape = { network: range(network), ranges: ranges.map(range), reserved: reserved.map(range) };
  return AddressSpace.of(shape, taken.map(range));
}

const free = (space: AddressSpace): string[] => [...space.freeRanges()].map((each) => describeRange(each).text);

const office: PoolText = {
  network: "10.40.0.0/24",
  ranges: ["10.40.0.16-10.40.0.63", "10.40.0.64-10.40.0.99", "10.40.0.200-10.40.0.231"],
  reserved: ["10.40.0.0/28", "10.40.0.32/30"],
};

/** The example of docs/guides/addresses.md. */
const guide: PoolText = { network: "10.0.0.0/27", reserved: ["10.0.0.0/28"], taken: ["10.0.0.20-10.0.0.22"] };

describe("a block", () => {
  it.each<[string, PoolText, bigint, string | undefined]>([
    ["the first address of an empty pool", { network: "10.0.0.0/24" }, 1n, "10.0.0.0/32"],
    ["the whole pool", { network: "10.0.0.0/24" }, 256n, "10.0.0.0/24"],
    ["nothing when more is wanted than there is", { network: "10.0.0.0/24" }, 257n, undefined],
    ["a part of a very large pool", { network: "10.0.0.0/8" }, 2n ** 23n, "10.0.0.0/9"],
    ["a part of all of IPv4", { network: "0.0.0.0/0", taken: ["0.0.0.0/1"] }, 2n ** 31n, "128.0.0.0/1"],
    ["all of IPv6", { network: "::/0" }, 2n ** 128n, "::/0"],
    ["a network of a /48", { network: "2001:db8::/48", taken: ["2001:db8::/64"] }, 2n ** 64n, "2001:db8:0:1::/64"],
    ["five addresses of a /48", { network: "2001:db8::/48" }, 5n, "2001:db8::-2001:db8::4"],
    ["nothing of which a /48 has too little", { network: "2001:db8::/48" }, 2n ** 80n + 1n, undefined],
    ["the smallest run that is large enough", office, 29n, "10.40.0.200-10.40.0.228"],
    ["the run that fits exactly", office, 16n, "10.40.0.16/28"],
    ["nothing that would cross from one range to its neighbour", office, 37n, undefined],
    [
      "the lower of two runs alike",
      { network: "10.0.0.0/28", taken: ["10.0.0.4/30"], reserved: ["10.0.0.12/30"] },
      3n,
      "10.0.0.0-10.0.0.2",
    ],
    [
      "what lies between taken blocks",
      { network: "10.0.0.0/28", taken: ["10.0.0.0/31", "10.0.0.4-10.0.0.9"] },
      2n,
      "10.0.0.2/31",
    ],
    ["no reserved address", { network: "10.0.0.0/30", reserved: ["10.0.0.0/31", "10.0.0.0/32"] }, 1n, "10.0.0.2/32"],
    ["nothing of a pool that is all reserved", { network: "10.0.0.0/30", reserved: ["10.0.0.0/24"] }, 1n, undefined],
    ["nothing of a full pool", { network: "10.0.0.0/30", taken: ["10.0.0.0/31", "10.0.0.1-10.0.0.9"] }, 1n, undefined],
    [
      "one that others hold outside of the pool",
      { network: "10.0.0.0/30", taken: ["9.0.0.0/8", "11.0.0.0/8"] },
      4n,
      "10.0.0.0/30",
    ],
    ["one whose number another family has", { network: "10.0.0.0/30", taken: ["::a00:0/126"] }, 4n, "10.0.0.0/30"],
    ["the guide's first", guide, 3n, "10.0.0.16-10.0.0.18"],
    ["the guide's second", guide, 4n, "10.0.0.16/30"],
    ["the guide's third", guide, 5n, "10.0.0.23-10.0.0.27"],
    ["the guide's fourth", guide, 10n, undefined],
    ["of the last addresses that there are", { network: "255.255.255.252/30" }, 4n, "255.255.255.252/30"],
  ])("is %s", (_name, pool, count, expected) => {
    const block = spaceOf(pool).allocate(count);
    expect(block && describeRange(block).text).toBe(expected);
  });

  it.each([0n, -1n])("cannot have %s addresses", (count) => {
    expect(() => spaceOf({ network: "10.0.0.0/24" }).allocate(count)).toThrow(InvalidInput);
  });
});

describe("a pinned range", () => {
  it.each<[string, string, PinRefusal | undefined]>([
    ["is had when it is free", "10.40.0.16-10.40.0.31", undefined],
    ["may be a single address", "10.40.0.99", undefined],
    ["may not leave its range", "10.40.0.98-10.40.0.100", "outside"],
    ["may not lie beside every range", "10.40.0.150", "outside"],
    ["may not lie in another network", "10.41.0.16", "outside"],
    ["may not be of the other family", "::a28:10", "outside"],
    ["may not reach over two ranges that touch", "10.40.0.60-10.40.0.67", "straddles"],
    ["may not reach over two ranges with a gap between", "10.40.0.90-10.40.0.210", "straddles"],
    ["may not have the whole network", "10.40.0.0/24", "straddles"],
    ["may not have a reserved address", "10.40.0.30-10.40.0.32", "reserved"],
    ["may not have a taken address", "10.40.0.71-10.40.0.72", "taken"],
    ["may not surround taken addresses", "10.40.0.70-10.40.0.90", "taken"],
  ])("%s: %s", (_name, text, expected) => {
    const space = spaceOf({ ...office, taken: ["10.40.0.72/29"] });
    const before = free(space);
    expect(space.pin(range(text))).toBe(expected);
    if (expected !== undefined) expect(free(space)).toEqual(before);
    else expect(space.pin(range(text))).toBe("taken");
  });

  it("that ends before it starts is rejected", () => {
    expect(() => spaceOf(office).pin(range("10.40.0.20-10.40.0.19"))).toThrow("start 10.40.0.20 is greater than end");
  });
});

describe("a released range", () => {
  it.each<[string, PoolText, string, string[]]>([
    ["is free again", { network: "10.0.0.0/29", taken: ["10.0.0.2/31"] }, "10.0.0.2/31", ["10.0.0.0/29"]],
    ["in part is free in part", { network: "10.0.0.0/29", taken: ["10.0.0.0/29"] }, "10.0.0.2/31", ["10.0.0.2/31"]],
    ["twice is free once", { network: "10.0.0.0/29", taken: [] }, "10.0.0.2/31", ["10.0.0.0/29"]],
    [
      "over several holes fills them",
      { network: "10.0.0.0/29", taken: ["10.0.0.1", "10.0.0.3", "10.0.0.6"] },
      "10.0.0.0-10.0.0.4",
      ["10.0.0.0-10.0.0.5", "10.0.0.7/32"],
    ],
    [
      "outside of the pool stays out",
      { network: "10.0.0.0/29", taken: ["10.0.0.7"] },
      "10.0.0.7-10.0.0.200",
      ["10.0.0.0/29"],
    ],
    ["of another family is nothing", { network: "10.0.0.0/29", taken: ["10.0.0.7"] }, "::/0", ["10.0.0.0-10.0.0.6"]],
    [
      "and reserved stays reserved",
      { network: "10.0.0.0/29", reserved: ["10.0.0.2/31"], taken: ["10.0.0.0/29"] },
      "10.0.0.0/29",
      ["10.0.0.0/31", "10.0.0.4/30"],
    ],
    [
      "in all ranges stays apart by range",
      { ...office, taken: ["10.40.0.0/24"] },
      "10.40.0.0/24",
      ["10.40.0.16/28", "10.40.0.36-10.40.0.63", "10.40.0.64-10.40.0.99", "10.40.0.200-10.40.0.231"],
    ],
  ])("%s", (_name, pool, text, expected) => {
    const space = spaceOf(pool);
    space.release(range(text));
    expect(free(space)).toEqual(expected);
  });

  it("cannot end before it starts", () => {
    expect(() => spaceOf(office).release(range("10.40.0.20-10.40.0.19"))).toThrow(InvalidInput);
  });
});
