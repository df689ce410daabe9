import { addressInRange, type IpRange, parseIpRange } from "@butler/std";
import { describe, expect, it } from "vitest";
import type { Service } from "../core-kinds.ts";
import { addressesOf, type Observed, plan } from "./plan.ts";

const range = addressesOf(parseIpRange("10.1.255.0/24"));

function observed(difference: {
  type?: string;
  ip?: string;
  taken?: string[];
  deleted?: boolean;
  range?: IpRange;
}): Observed {
  const { type = "LoadBalancer", ip, taken = [], deleted = false } = difference;
  const service: Service = {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "web", namespace: "default", ...(deleted ? { deletionTimestamp: "2026-01-01T00:00:00Z" } : {}) },
    spec: { type },
    ...(ip === undefined ? {} : { status: { loadBalancer: { ingress: [{ ip }] } } }),
  };
  return { service, range: difference.range ?? range, taken: new Set(taken) };
}

describe("the plan for a load balancer", () => {
  it.each<[string, Parameters<typeof observed>[0], string | undefined]>([
    ["the lowest free address", {}, "10.1.255.1"],
    ["the next one when that is taken", { taken: ["10.1.255.1"] }, "10.1.255.2"],
    ["the one it has", { ip: "10.1.255.9" }, "10.1.255.9"],
    [
      "another one when it is assigned to another Service, too",
      { ip: "10.1.255.1", taken: ["10.1.255.1"] },
      "10.1.255.2",
    ],
    ["another one when it is outside the range", { ip: "192.0.2.1" }, "10.1.255.1"],
  ])("assigns %s", (_what, difference, expected) => {
    expect(plan(observed(difference)).status).toEqual({ loadBalancer: { ingress: [{ ip: expected }] } });
  });

  it("releases the address when the type changes", () => {
    expect(plan(observed({ type: "ClusterIP", ip: "10.1.255.3" })).status).toEqual({ loadBalancer: {} });
  });

  it.each([{ type: "ClusterIP" }, { type: "ClusterIP", ip: "192.0.2.1" }, { deleted: true }])(
    "ignores %j",
    (difference) => {
      expect(plan(observed(difference)).status).toBeUndefined();
    },
  );

  it("reports an exhausted range and retries", () => {
    const result = plan(observed({ range: parseIpRange("10.1.255.1/32"), taken: ["10.1.255.1"] }));
    expect(result.events?.[0]).toMatchObject({ type: "Warning", reason: "AddressesExhausted" });
    expect(result.requeueAfterMs).toBeGreaterThan(0);
  });

  it("assigns all addresses of a network except the first and the last", () => {
    expect(addressInRange(range, 0)).toBe("10.1.255.1");
    expect(addressInRange(range, range.last - range.first)).toBe("10.1.255.254");
    const whole = addressesOf(parseIpRange("10.1.255.0/30"));
    const given = plan(observed({ range: whole, taken: ["10.1.255.1"] }));
    expect(given.status).toEqual({ loadBalancer: { ingress: [{ ip: "10.1.255.2" }] } });
    expect(plan(observed({ range: whole, taken: ["10.1.255.1", "10.1.255.2"] })).status).toBeUndefined();
  });

  it.each(["10.1.255.4/31", "10.1.255.4/32"])("assigns nothing from %s", (network) => {
    expect(plan(observed({ range: addressesOf(parseIpRange(network)) })).events).toHaveLength(1);
  });
});
