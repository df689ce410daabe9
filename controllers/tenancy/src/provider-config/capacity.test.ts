import { describe, expect, it } from "vitest";
import { aNetworkPool, aProviderConfig } from "../shared/testing/objects.ts";
import { capacityOf, poolKeysOf } from "./capacity.ts";

const configWith = (loadBalancer?: object) =>
  aProviderConfig({
    spec: {
      network: {
        mode: "ipam",
        poolRefs: [{ name: "first" }, { name: "second" }, { name: "first" }],
        ...(loadBalancer === undefined ? {} : { loadBalancer }),
      },
    },
  });
const pools = (...free: readonly number[]) =>
  free.map((count, at) => ({ name: `pool-${at}`, pool: aNetworkPool(count) }));

describe("capacityOf", () => {
  it.each([
    ["one pool", undefined, [130], { availableIPs: 130, estimatedTenants: 10 }],
    ["a rest too small for a tenant", undefined, [12], { availableIPs: 12, estimatedTenants: 0 }],
    ["rests that add up, but not in one pool", undefined, [12, 14], { availableIPs: 26, estimatedTenants: 1 }],
    ["larger blocks", { defaultPoolSize: 15 }, [100], { availableIPs: 100, estimatedTenants: 5 }],
    [
      "blocks that begin small",
      { allocationMode: "elastic", initialPoolSize: 5 },
      [100],
      { availableIPs: 100, estimatedTenants: 10 },
    ],
    ["nothing left", undefined, [0, 0], { availableIPs: 0, estimatedTenants: 0 }],
  ])("counts %s", (_what, loadBalancer, free, expected) => {
    expect(capacityOf(configWith(loadBalancer), pools(...free))?.capacity).toEqual(expected);
  });

  it("uses the pool's number of nodes per tenant", () => {
    const tenantAllocation = { defaults: { nodesPerTenant: 2 } };
    const pool = aNetworkPool(100, { spec: { tenantAllocation } });
    expect(capacityOf(configWith(), [{ name: "first", pool }])?.capacity?.estimatedTenants).toBe(10);
  });

  it("has no capacity when the provider manages addresses", () => {
    expect(capacityOf(aProviderConfig(), [])).toBeUndefined();
    expect(poolKeysOf(aProviderConfig())).toEqual([]);
  });
});

it("reads each pool once, in the namespace of the ProviderConfig", () => {
  const namespace = "butler-system";
  expect(poolKeysOf(configWith())).toEqual([
    { name: "first", namespace },
    { name: "second", namespace },
  ]);
});
