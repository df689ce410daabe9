import { describe, expect, it } from "vitest";
import { assignAddresses, withoutAddress } from "./assign.ts";
import type { Service } from "./kinds.ts";
import { blocksOf } from "./stock.ts";
import { aGrowth, anInitial, aService } from "./testing/observed-objects.ts";

const initial = anInitial("10.40.0.4", "10.40.0.5");
const growth = aGrowth("shop-lb-g1", { range: ["10.40.0.0", "10.40.0.1"] });
const blocks = blocksOf([growth, initial]);

function assigned(services: readonly Service[], given = blocks): string[] {
  return assignAddresses(services, given).map(({ service, address }) => `${service.metadata.name} ${address ?? "-"}`);
}

describe("assignAddresses", () => {
  it("starts with the initial block, in order of age", () => {
    const services = ["c", "b", "a"].map((name) => aService(name));
    expect(assigned(services)).toEqual(["a 10.40.0.4", "b 10.40.0.5", "c 10.40.0.0"]);
  });

  it.each<[string, Service[], string[]]>([
    ["an address of a block", [aService("a", { ip: "10.40.0.1" })], []],
    [
      "the older of two with the same",
      [aService("b", { ip: "10.40.0.4" }), aService("a", { ip: "10.40.0.4" })],
      ["b 10.40.0.5"],
    ],
    ["nothing outside", [aService("a", { ip: "192.0.2.1" })], ["a 10.40.0.4"]],
    ["what is kept before others are served", [aService("a"), aService("b", { ip: "10.40.0.4" })], ["a 10.40.0.5"]],
    [
      "another one on request",
      [aService("a", { ip: "10.40.0.4", spec: { loadBalancerIP: "10.40.0.1" } })],
      ["a 10.40.0.1"],
    ],
    [
      "one that is not to be had on request",
      [aService("a", { ip: "10.40.0.4", spec: { loadBalancerIP: "10.40.0.9" } })],
      ["a -"],
    ],
  ])("keeps %s", (_what, services, expected) => {
    expect(assigned(services)).toEqual(expected);
  });

  it.each<[string, Service]>([
    ["of another class", aService("a", { spec: { loadBalancerClass: "example.com/other" } })],
    ["of another type", aService("a", { spec: { type: "ClusterIP" } })],
    ["that asks another pool of MetalLB", aService("a", { annotations: { "metallb.io/address-pool": "mine" } })],
    ["with a hostname", aService("a", { hostname: "lb.example.com" })],
    ["that is going", aService("a", { isGoing: true })],
    ["that wants the other family", aService("a", { spec: { ipFamilies: ["IPv6"] } })],
    ["that asks for what is no address", aService("a", { spec: { loadBalancerIP: "here" } })],
  ])("assigns nothing to a Service %s", (_what, service) => {
    expect(assigned([service])).toEqual([]);
  });

  it("does not assign an address of another controller's Service", () => {
    const theirs = aService("a", { ip: "10.40.0.4", spec: { loadBalancerClass: "example.com/other" } });
    expect(assigned([theirs, aService("b")])).toEqual(["b 10.40.0.5"]);
  });

  it("removes addresses that no longer belong to the cluster", () => {
    expect(assigned([aService("a", { ip: "10.40.0.0" })], [])).toEqual(["a -"]);
  });

  it("assigns IPv6 addresses on request", () => {
    const six = blocksOf([anInitial("2001:db8::4", "2001:db8::5"), initial]);
    expect(assigned([aService("a", { spec: { ipFamilies: ["IPv6", "IPv4"] } })], six)).toEqual(["a 2001:db8::4"]);
    const spelled = aService("a", { ip: "2001:DB8:0::5", spec: { ipFamilies: ["IPv6"] } });
    expect(assigned([spelled], six)).toEqual([]);
  });

  it("reports Services without an address", () => {
    const services = ["a", "b", "c", "d", "e"].map((name) => aService(name));
    const left = withoutAddress(services, assignAddresses(services, blocks));
    expect(left.map(({ metadata }) => metadata.name)).toEqual(["e"]);
    expect(withoutAddress([aService("a", { ip: "10.40.0.0" })], [])).toEqual([]);
  });
});
