import { describe, expect, it } from "vitest";
import type { ClusterView } from "../../parts/cluster-facts.ts";
import {
  allocationsOf,
  allocationState,
  type AllocationView,
  loadBalancerSource,
  rangeOf,
} from "./addresses/address-facts.ts";
import { rotationBody, timeLeft } from "./certificates/certificate-facts.ts";
import { certificatesSearch } from "./certificates/certificates-search.ts";

describe("certificates", () => {
  it.each([
    [-3, "expired 3 days ago"],
    [-1, "expired 1 day ago"],
    [0, "expires today"],
    [1, "1 day left"],
    [200, "200 days left"],
  ])("%s days are: %s", (days, words) => expect(timeLeft(days)).toBe(words));

  it.each([
    ["kubeconfigs", "", { type: "kubeconfigs" }],
    ["all", "", { type: "all" }],
    ["ca", "", undefined],
    ["ca", "Shop", undefined],
    ["ca", "shop", { type: "ca", acknowledge: true }],
  ] as const)("rotation of %s with %j typed sends %j", (type, typed, body) =>
    expect(rotationBody(type, { typed, cluster: "shop" })).toEqual(body),
  );

  it("parse arbitrary search parameters", () => {
    expect(certificatesSearch({ cert: "AB:CD", rotate: "yes" })).toEqual({ cert: "AB:CD", rotate: "yes" });
    expect(certificatesSearch({ cert: {}, rotate: "now" })).toEqual({});
  });
});

describe("addresses", () => {
  const allocation = (status: AllocationView["status"], namespace = "payments"): AllocationView =>
    ({
      metadata: { name: "shop-lb" },
      spec: { poolRef: { name: "underlay" }, tenantClusterRef: { name: "shop", namespace }, type: "loadbalancer" },
      status,
    }) as AllocationView;
  const cluster = (networking: object, status: object = {}): ClusterView =>
    ({ metadata: { name: "shop", namespace: "payments" }, spec: { networking }, status }) as unknown as ClusterView;

  it.each([
    [undefined, ""],
    [{ cidr: "10.0.0.0/29", startAddress: "10.0.0.0" }, "10.0.0.0/29"],
    [{ startAddress: "10.0.0.1", endAddress: "10.0.0.6" }, "10.0.0.1 – 10.0.0.6"],
    [{ startAddress: "10.0.0.1", endAddress: "10.0.0.1" }, "10.0.0.1"],
  ])("%j are shown as %j", (status, text) => expect(rangeOf(allocation(status))).toBe(text));

  it("exclude those of a cluster of the same name in another namespace", () => {
    const all = [allocation(undefined), allocation(undefined, "other")];
    expect(allocationsOf(all, cluster({}))).toEqual([all[0]]);
  });

  it("show why an allocation failed", () => {
    const condition = {
      type: "Ready",
      status: "False",
      reason: "PoolExhausted",
      message: "the pool has no room",
    } as const;
    const state = allocationState(
      allocation({ phase: "Failed", conditions: [{ ...condition, lastTransitionTime: "2026-06-01T12:00:00Z" }] }),
    );
    expect(state).toEqual({ tone: "failed", word: "Failed", why: "the pool has no room" });
    expect(allocationState(allocation(undefined)).tone).toBe("working");
  });

  it.each([
    [cluster({ loadBalancerPool: { start: "10.0.0.1", end: "10.0.0.9" } }), "10.0.0.1 – 10.0.0.9, set in the spec"],
    [cluster({ lbPoolSize: 8 }), "8 from the provider's network pools"],
    [cluster({}, { lbAllocationRef: { name: "shop-lb" } }), "the provider's network pools"],
    [cluster({}), ""],
  ])("show the source of load balancer addresses: case %#", (view, source) =>
    expect(loadBalancerSource(view)).toBe(source),
  );
});
