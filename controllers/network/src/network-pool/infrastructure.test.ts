import { Machine } from "@butler/api-external";
import { builtinKinds } from "@butler/resource";
import { parseIpRange } from "@butler/std";
import { anObject } from "@butler/testkit";
import { describe, expect, it } from "vitest";
import { aClaim, allocatedStatus } from "../testing/objects.ts";
import { infrastructureOf, usesOf } from "./infrastructure.ts";

const network = parseIpRange("10.40.0.0/28");
const host = (...addresses: string[]) => ({
  status: {
    addresses: [...addresses.map((address) => ({ type: "InternalIP", address })), { type: "Hostname", address: "x" }],
  },
});
const balancer = (type: string, ...ips: string[]) => ({
  spec: { type },
  status: { loadBalancer: { ingress: [...ips.map((ip) => ({ ip })), { hostname: "x" }] } },
});

const objects = {
  services: [
    anObject(builtinKinds.Service, { name: "web", body: balancer("LoadBalancer", "10.40.0.9", "10.41.0.1") }),
    anObject(builtinKinds.Service, { name: "plain", body: balancer("ClusterIP", "10.40.0.8") }),
    anObject(builtinKinds.Service, { name: "new", body: { spec: { type: "LoadBalancer" } } }),
  ],
  nodes: [anObject(builtinKinds.Node, { name: "node-1", body: host("10.40.0.2", "2001:db8::2") })],
  machines: [anObject(Machine, { name: "m-1", body: host("10.40.0.2", "10.40.0.10") })],
};

describe("addresses in use by the management cluster", () => {
  it("are found in Services of type LoadBalancer, nodes and Machines, each address once and in order", () => {
    expect(infrastructureOf({ claims: [], uses: usesOf(objects) }, network)).toEqual({
      count: 3,
      listed: [
        { ip: "10.40.0.2", source: "node", nodeRef: "node-1", machineRef: { name: "m-1", namespace: "default" } },
        { ip: "10.40.0.9", source: "metallb", serviceRef: { name: "web", namespace: "default" } },
        { ip: "10.40.0.10", source: "machine", machineRef: { name: "m-1", namespace: "default" } },
      ],
    });
  });

  it("exclude allocated addresses, but include those in quarantine", () => {
    const status = allocatedStatus("10.40.0.8", "10.40.0.11");
    const held = infrastructureOf({ claims: [aClaim({ status })], uses: usesOf(objects) }, network);
    expect(held.listed.map(({ ip }) => ip)).toEqual(["10.40.0.2"]);
    const resting = aClaim({ status: { ...status, phase: "Released", quarantineUntil: "2030-01-01T00:00:00Z" } });
    expect(infrastructureOf({ claims: [resting], uses: usesOf(objects) }, network).count).toBe(3);
  });

  it("are empty if nothing is in use", () => {
    const uses = usesOf({ services: [], nodes: [anObject(builtinKinds.Node)], machines: [] });
    expect(infrastructureOf({ claims: [], uses }, network)).toEqual({ listed: [], count: 0 });
  });
});
