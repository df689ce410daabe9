import { IPAllocation, LocalMachine, TenantCluster } from "@butler/api";
import { describe, expect, it } from "vitest";
import { type Observed, plan, type Route } from "./plan.ts";
import { parseRoutes } from "./route-table.ts";

const named = (name: string, namespace: string) => ({ name, namespace, uid: `uid-${name}` });

function cluster(name: string): TenantCluster {
  return {
    apiVersion: TenantCluster.apiVersion,
    kind: TenantCluster.kind,
    metadata: named(name, "payments"),
    spec: {},
    status: { tenantNamespace: `${name}-1234` },
  } as unknown as TenantCluster;
}

function machine(name: string, of: string, difference: { address?: string; phase?: string; isGoing?: boolean } = {}) {
  const { address = "10.200.0.5", phase = "Running", isGoing = false } = difference;
  return {
    apiVersion: LocalMachine.apiVersion,
    kind: LocalMachine.kind,
    metadata: { ...named(name, `${of}-1234`), ...(isGoing ? { deletionTimestamp: "2026-01-01T00:00:00Z" } : {}) },
    spec: {},
    status: {
      phase,
      addresses: [
        { type: "Hostname", address: name },
        { type: "InternalIP", address },
      ],
    },
  } as unknown as LocalMachine;
}

function allocation(name: string, of: string, difference: { phase?: string; type?: string; end?: string } = {}) {
  const { phase = "Allocated", type = "loadbalancer", end = "10.200.160.15" } = difference;
  return {
    apiVersion: IPAllocation.apiVersion,
    kind: IPAllocation.kind,
    metadata: named(name, "butler-system"),
    spec: { poolRef: { name: "local" }, tenantClusterRef: { name: of, namespace: "payments" }, type },
    status: { phase, startAddress: "10.200.160.8", endAddress: end },
  } as unknown as IPAllocation;
}

const observedWith = (more: Partial<Observed> = {}): Observed => ({
  allocations: [allocation("a", "shop")],
  clusters: [cluster("shop"), cluster("other")],
  machines: [machine("m1", "shop"), machine("m9", "other", { address: "10.200.0.9" })],
  routes: [],
  ...more,
});
const effects = (observed: Observed) => plan(observed).effects;
const route = (network: string, ...gateways: string[]): Route => ({ network, gateways });

describe("routes to the addresses of tenants", () => {
  it("lead only to the machines of the cluster that owns the addresses", () => {
    const machines = [machine("m2", "shop", { address: "10.200.0.6" }), ...observedWith().machines];
    expect(effects(observedWith({ machines }))).toEqual([
      { type: "setRoute", network: "10.200.160.8/29", gateways: ["10.200.0.5", "10.200.0.6"] },
    ]);
  });

  it("are not changed when they are correct", () => {
    expect(effects(observedWith({ routes: [route("10.200.160.8/29", "10.200.0.5")] }))).toEqual([]);
  });

  it("follow the machines", () => {
    const routes = [route("10.200.160.8/29", "10.200.0.5", "10.200.0.6")];
    expect(effects(observedWith({ routes }))).toMatchObject([{ type: "setRoute", gateways: ["10.200.0.5"] }]);
  });

  it("are split when the addresses are not one network", () => {
    const allocations = [allocation("a", "shop", { end: "10.200.160.10" })];
    expect(effects(observedWith({ allocations }))).toMatchObject([
      { network: "10.200.160.8/31" },
      { network: "10.200.160.10/32" },
    ]);
  });

  it.each<[string, Partial<Observed>]>([
    ["the addresses were given back", { allocations: [allocation("a", "shop", { phase: "Released" })] }],
    ["the claim was deleted", { allocations: [] }],
    ["the addresses are for nodes", { allocations: [allocation("a", "shop", { type: "nodes" })] }],
    ["the cluster was deleted", { clusters: [] }],
    ["no machine is a node yet", { machines: [machine("m1", "shop", { phase: "Bootstrapping" })] }],
    ["every machine is being deleted", { machines: [machine("m1", "shop", { isGoing: true })] }],
  ])("are removed when %s", (_what, more) => {
    expect(effects(observedWith({ ...more, routes: [route("10.200.160.8/29", "10.200.0.5")] }))).toEqual([
      { type: "removeRoute", network: "10.200.160.8/29" },
    ]);
  });
});

describe("the output of ip", () => {
  it.each<[string, string, Route[]]>([
    ["nothing", "", []],
    ["an empty list", "[]", []],
    ["one way", '[{"dst":"10.1.0.8/29","gateway":"10.0.0.5","dev":"butler"}]', [route("10.1.0.8/29", "10.0.0.5")]],
    [
      "several ways to one address",
      '[{"dst":"10.1.0.8","nexthops":[{"gateway":"10.0.0.6"},{"gateway":"10.0.0.5"}]}]',
      [route("10.1.0.8/32", "10.0.0.5", "10.0.0.6")],
    ],
  ])("is parsed: %s", (_what, text, expected) => {
    expect(parseRoutes(text)).toEqual(expected);
  });
});
