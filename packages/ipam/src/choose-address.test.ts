import { formatIpAddress, parseIpRange } from "@butler/std";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AddressChoice, chooseAddress, isInRanges } from "./choose-address.ts";

const ranges = [parseIpRange("192.0.2.8/31"), parseIpRange("192.0.2.0/31")];
const choice = (traits: Omit<Partial<AddressChoice>, "taken"> & { taken?: string[] }): AddressChoice => ({
  ranges,
  ...traits,
  taken: new Set(traits.taken),
});

describe("chooseAddress", () => {
  it.each<[string, Parameters<typeof choice>[0], string | undefined]>([
    ["the lowest of the first range", {}, "192.0.2.8"],
    ["the next one when that is taken", { taken: ["192.0.2.8"] }, "192.0.2.9"],
    ["the second range when the first is full", { taken: ["192.0.2.8", "192.0.2.9"] }, "192.0.2.0"],
    ["nothing when all are taken", { ranges: ranges.slice(1), taken: ["192.0.2.0", "192.0.2.1"] }, undefined],
    ["nothing when there are no ranges", { ranges: [] }, undefined],
    ["the one it has", { current: "192.0.2.1" }, "192.0.2.1"],
    ["another one if it belongs to another load balancer", { current: "192.0.2.1", taken: ["192.0.2.1"] }, "192.0.2.8"],
    ["another when it is outside", { current: "192.0.2.2" }, "192.0.2.8"],
    ["another when it is no address", { current: "here" }, "192.0.2.8"],
    ["the requested one", { current: "192.0.2.8", requested: "192.0.2.1" }, "192.0.2.1"],
    ["nothing when that is taken", { requested: "192.0.2.1", taken: ["192.0.2.1"] }, undefined],
    ["nothing when that is outside", { current: "192.0.2.8", requested: "192.0.2.2" }, undefined],
  ])("chooses %s", (_what, traits, expected) => {
    expect(chooseAddress(choice(traits))).toBe(expected);
  });

  it("assigns a distinct address to each while addresses are available, and keeps existing ones", () => {
    const range = fc.record({ first: fc.integer({ min: 0, max: 40 }), length: fc.integer({ min: 1, max: 6 }) });
    fc.assert(
      fc.property(fc.array(range, { maxLength: 4 }), fc.integer({ min: 0, max: 20 }), (drawn, seekers) => {
        const given = drawn.map(({ first, length }) => ({
          family: 4 as const,
          first: BigInt(first),
          last: BigInt(first + length - 1),
        }));
        const room = new Set(drawn.flatMap(({ first, length }) => Array.from({ length }, (_none, at) => first + at)));
        const taken = new Set<string>();
        for (let count = 0; count < seekers; count++) {
          const address = chooseAddress({ ranges: given, taken });
          expect(address !== undefined).toBe(count < room.size);
          if (address === undefined) break;
          expect(isInRanges(given, address)).toBe(true);
          expect(taken.has(address)).toBe(false);
          expect(chooseAddress({ ranges: given, taken, current: address })).toBe(address);
          taken.add(address);
        }
        expect([...taken].every((text) => room.has(Number(text.split(".")[3])))).toBe(true);
      }),
    );
  });

  it("finds the lowest free address of a large range without iterating over it", () => {
    const large = parseIpRange("2001:db8::/64");
    expect(chooseAddress({ ranges: [large], taken: new Set() })).toBe(
      formatIpAddress({ family: 6, value: large.first }),
    );
  });
});
