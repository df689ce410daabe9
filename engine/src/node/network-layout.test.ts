import { parseIpRange, rangesOverlap } from "@butler/std";
import { describe, expect, it } from "vitest";
import {
  createNetworkCommands,
  insideNamespace,
  isPair,
  outboundRules,
  removeNetworkCommands,
  removeOutboundRules,
} from "./network-commands.ts";
import { engineSlots, networkLayout } from "./network-layout.ts";

const layouts = Array.from({ length: engineSlots }, (_, slot) => networkLayout(slot));

describe("the network layout of an engine", () => {
  it("gives every slot unique names and ranges", () => {
    const parts = layouts.flatMap(({ namespace, hostInterface, nodeInterface, range, serviceRange, nodeAddress }) => [
      namespace,
      hostInterface,
      nodeInterface,
      range,
      serviceRange,
      nodeAddress,
    ]);
    expect(new Set(parts).size).toBe(parts.length);
  });

  it("does not overlap the default ranges of tenants", () => {
    const second = (range: string): number => Number(range.split(".")[1]);
    for (const { range, serviceRange } of layouts) {
      for (const octet of [second(range), second(serviceRange)]) {
        expect(octet).not.toBe(244);
        expect(octet < 96 || octet > 111).toBe(true);
      }
    }
  });

  it("keeps its ranges disjoint, all inside the range that the machine routes to", () => {
    for (const { range, podRange, loadBalancerRange, tenantRange, nodeAddress } of layouts) {
      const parts = [podRange, loadBalancerRange, tenantRange, `${nodeAddress}/30`].map(parseIpRange);
      const whole = parseIpRange(range);
      expect(parts.every(({ first, last }) => whole.first <= first && last <= whole.last)).toBe(true);
      const overlaps = parts.flatMap((part, at) => parts.slice(at + 1).filter((other) => rangesOverlap(part, other)));
      expect(overlaps).toEqual([]);
    }
  });

  it("keeps interface names within the 15 characters that Linux allows", () => {
    for (const { hostInterface, nodeInterface, bridge } of layouts) {
      expect([hostInterface, nodeInterface, bridge].filter((name) => name.length > 15)).toEqual([]);
    }
  });

  it.each([-1, engineSlots, 1.5])("has no slot %s", (slot) => {
    expect(() => networkLayout(slot)).toThrow(`engine slot ${slot} does not exist`);
  });
});

describe("the commands that make an engine's network", () => {
  it("run inside the namespace where required", () => {
    const [layout] = layouts;
    const made = createNetworkCommands(layout ?? expect.fail("no layout"));
    const inside = made.filter(([program]) => program === "nsenter");
    expect(inside).toHaveLength(4);
    expect(insideNamespace(networkLayout(3), ["ip", "link"])).toEqual([
      "nsenter",
      "--net=/run/netns/butler3",
      "--",
      "ip",
      "link",
    ]);
  });

  it("delete the chain that they created", () => {
    const layout = networkLayout(2);
    const chains = outboundRules(layout).flatMap((command) => command.filter((word) => word.startsWith("BUTLER")));
    expect(new Set(chains)).toEqual(new Set(["BUTLER2H"]));
    expect(removeOutboundRules(layout).at(-1)).toEqual(["iptables", "-t", "nat", "-X", "BUTLER2H"]);
    expect(removeNetworkCommands(layout)).toContainEqual(["ip", "netns", "delete", "butler2"]);
  });
});

describe("isPair", () => {
  const outside = "50: butler1h@if2: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 link-netns butler1";
  const inside = "2: butler1n@if50: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 link-netnsid 0";

  it.each([
    ["the two ends", outside, inside, true],
    ["nothing", "", "", false],
    ["one end whose other end was deleted", outside, "", false],
    ["ends of different pairs", outside, inside.replace("if50", "if51"), false],
    ["a bridge of that name", "50: butler1h: <BROADCAST> mtu 1500", inside, false],
    ["two ends outside", "50: butler1h@other: <BROADCAST>", inside, false],
  ])("of %s", (_what, one, other, expected) => {
    expect(isPair(one, other)).toBe(expected);
  });
});
