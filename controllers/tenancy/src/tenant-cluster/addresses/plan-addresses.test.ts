import { allocationRoles, IPAllocation, labels, NetworkPool, poolOrder, ProviderConfig } from "@butler/api";
import { parseObject } from "@butler/resource";
import { describe, expect, it } from "vitest";
import type { Observed } from "../observed.ts";
import { aTenantCluster, observedOf } from "../testing/observed-objects.ts";
import { planAddresses } from "./plan-addresses.ts";
import { wantedAddresses } from "./wanted-addresses.ts";

const cluster = aTenantCluster();

function provider(network: object): ProviderConfig {
  return parseObject(ProviderConfig, {
    apiVersion: ProviderConfig.apiVersion,
    kind: ProviderConfig.kind,
    metadata: { name: "lab", namespace: "butler-system" },
    spec: { provider: "local", network: { mode: "ipam", poolRefs: [{ name: "a" }, { name: "b" }], ...network } },
  });
}

function pool(name: string, { largestFreeBlock, cidr = "10.40.0.0/24" }: { largestFreeBlock: number; cidr?: string }) {
  const object = { apiVersion: NetworkPool.apiVersion, kind: NetworkPool.kind, spec: { cidr } };
  const parsed = parseObject(NetworkPool, { ...object, metadata: { name, namespace: "butler-system" } });
  return { ...parsed, status: { largestFreeBlock } };
}

function claim(
  name: string,
  status: IPAllocation["status"],
  more: { pool?: string; role?: string } = {},
): IPAllocation {
  return {
    apiVersion: IPAllocation.apiVersion,
    kind: IPAllocation.kind,
    metadata: {
      name,
      namespace: "butler-system",
      uid: `uid-${name}`,
      labels: { [labels.allocationRole]: more.role ?? allocationRoles.initial },
    },
    spec: {
      poolRef: { name: more.pool ?? "a" },
      tenantClusterRef: { name: "shop", namespace: "payments" },
      type: "loadbalancer",
      count: 8,
    },
    status,
  };
}

const allocated = (count: number): IPAllocation["status"] => ({
  phase: "Allocated",
  allocatedCount: count,
  cidr: "10.40.0.8/29",
});
const exhausted: IPAllocation["status"] = {
  phase: "Pending",
  conditions: [
    { type: "Ready", status: "False", reason: "PoolExhausted", message: "no block of 8", lastTransitionTime: "" },
  ],
};

function observing(more: Partial<Observed> = {}, network: object = {}): Observed {
  const found = provider(network);
  return observedOf(cluster, {
    provider: { key: found.metadata, found, credentials: {} },
    pools: [pool("a", { largestFreeBlock: 100 }), pool("b", { largestFreeBlock: 100 })],
    ...more,
  });
}

describe("the desired addresses of a cluster", () => {
  const ofNetwork = (network: object, spec: object = {}) =>
    wantedAddresses(aTenantCluster(spec), provider(network).spec.network);

  it.each<[string, object, object, unknown]>([
    ["8 by default", {}, {}, { kind: "block", count: 8 }],
    ["what the provider gives", { loadBalancer: { defaultPoolSize: 4 } }, {}, { kind: "block", count: 4 }],
    ["2 to begin with when elastic", { loadBalancer: { allocationMode: "elastic" } }, {}, { kind: "block", count: 2 }],
    ["what the cluster asks for", {}, { networking: { lbPoolSize: 16 } }, { kind: "block", count: 16 }],
    [
      "no more than a tenant may have",
      { quotaPerTenant: { maxLoadBalancerIPs: 6 } },
      { networking: { lbPoolSize: 16 } },
      { kind: "block", count: 6 },
    ],
    [
      "exactly those that the cluster names",
      {},
      { networking: { loadBalancerPool: { start: "10.40.0.4", end: "10.40.0.9" } } },
      { kind: "pinned", startAddress: "10.40.0.4", endAddress: "10.40.0.9" },
    ],
  ])("are %s", (_what, network, spec, expected) => {
    expect(ofNetwork(network, spec)).toEqual(expected);
  });

  it("are none when the provider manages them, or when nothing will request one", () => {
    expect(ofNetwork({ mode: "cloud" }).kind).toBe("none");
    const elastic = { loadBalancer: { allocationMode: "elastic" } };
    expect(ofNetwork(elastic, { addons: { ingress: { enabled: false } } }).kind).toBe("none");
    const asked = { addons: { ingress: { enabled: false } }, networking: { lbPoolSize: 3 } };
    expect(ofNetwork(elastic, asked)).toEqual({ kind: "block", count: 3 });
  });
});

describe("the plan for a cluster's addresses", () => {
  it("claims them from the first pool with free addresses", () => {
    const { apply, condition } = planAddresses(
      observing({ pools: [pool("a", { largestFreeBlock: 7 }), pool("b", { largestFreeBlock: 8 })] }),
    );
    expect(
      apply.map(({ metadata, spec }) => [metadata.name, metadata.namespace, spec.poolRef.name, spec.count]),
    ).toEqual([["shop-0a1b2c3d-lb", "butler-system", "b", 8]]);
    expect(condition).toMatchObject({ status: "False", reason: "AllocationPending" });
  });

  it("waits in the first pool when all are full, and moves when another has free addresses", () => {
    const full = [pool("a", { largestFreeBlock: 2 }), pool("b", { largestFreeBlock: 2 })];
    expect(planAddresses(observing({ pools: full })).apply[0]?.spec.poolRef.name).toBe("a");
    const waiting = { allocations: [claim("shop-0a1b2c3d-lb", exhausted)] };
    const still = planAddresses(observing({ ...waiting, pools: full }));
    expect([still.apply, still.remove]).toEqual([[], []]);
    expect(still.condition).toMatchObject({
      reason: "PoolExhausted",
      message: expect.stringContaining("no block of 8") as unknown,
    });
    const freed = [pool("a", { largestFreeBlock: 2 }), pool("b", { largestFreeBlock: 8 })];
    const { remove, apply } = planAddresses(observing({ ...waiting, pools: freed }));
    expect(remove).toMatchObject([{ name: "shop-0a1b2c3d-lb", uid: "uid-shop-0a1b2c3d-lb" }]);
    expect(apply).toEqual([]);
  });

  it("leaves an unobserved claim unchanged", () => {
    const { apply, remove } = planAddresses(observing({ allocations: [claim("shop-0a1b2c3d-lb", undefined)] }));
    expect([apply, remove]).toEqual([[], []]);
  });

  it("is done once addresses are allocated, and lists them", () => {
    const { apply, remove, condition, allocation } = planAddresses(
      observing({ allocations: [claim("shop-0a1b2c3d-lb", allocated(8))] }),
    );
    expect([apply, remove]).toEqual([[], []]);
    expect(condition).toEqual({
      type: "NetworkReady",
      status: "True",
      reason: "AddressesAllocated",
      message: "load balancer addresses: 10.40.0.8/29",
    });
    expect(allocation?.metadata.name).toBe("shop-0a1b2c3d-lb");
  });

  it("claims more when the cluster requests more, and releases none when it requests less", () => {
    const allocations = [claim("shop-0a1b2c3d-lb", allocated(8))];
    const more = { ...observing({ allocations }), cluster: aTenantCluster({ networking: { lbPoolSize: 12 } }) };
    expect(planAddresses(more).apply.map(({ metadata, spec }) => [metadata.name, spec.count])).toEqual([
      ["shop-0a1b2c3d-lb-2", 4],
    ]);
    const less = { ...observing({ allocations }), cluster: aTenantCluster({ networking: { lbPoolSize: 3 } }) };
    const { apply, remove, condition } = planAddresses(less);
    expect([apply, remove, condition.status]).toEqual([[], [], "True"]);
  });

  it("does not count addresses for Services or in quarantine", () => {
    const growth = claim("shop-0a1b2c3d-lb-g1", allocated(8), { role: allocationRoles.growth });
    const resting = claim("shop-0a1b2c3d-lb", { phase: "Released", allocatedCount: 8 });
    const gone = { ...resting, metadata: { ...resting.metadata, deletionTimestamp: "2026-03-01T12:00:00Z" } };
    const { apply } = planAddresses(observing({ allocations: [growth, gone] }));
    expect(apply.map(({ metadata }) => metadata.name)).toEqual(["shop-0a1b2c3d-lb-2"]);
  });

  it("claims pinned addresses only from a pool that contains them", () => {
    const pinned = aTenantCluster({ networking: { loadBalancerPool: { start: "10.50.0.4", end: "10.50.0.9" } } });
    expect(planAddresses({ ...observing(), cluster: pinned }).condition.reason).toBe("OutsidePools");
    const pools = [pool("a", { largestFreeBlock: 100 }), pool("b", { largestFreeBlock: 0, cidr: "10.50.0.0/24" })];
    const [made] = planAddresses({ ...observing({ pools }), cluster: pinned }).apply;
    expect(made?.spec).toMatchObject({
      poolRef: { name: "b" },
      pinnedRange: { startAddress: "10.50.0.4", endAddress: "10.50.0.9" },
    });
    expect(made?.spec.count).toBeUndefined();
  });

  describe("with a limit per tenant", () => {
    const limit = { quotaPerTenant: { maxLoadBalancerIPs: 10 } };
    const pinned = (end: string) => aTenantCluster({ networking: { loadBalancerPool: { start: "10.40.0.1", end } } });

    it.each<[string, readonly IPAllocation[], string, boolean]>([
      ["claims a pinned range within it", [], "10.40.0.10", true],
      ["claims no pinned range beyond it", [], "10.40.0.11", false],
      ["counts what the cluster holds", [claim("shop-0a1b2c3d-lb", allocated(8))], "10.40.0.3", false],
      [
        "counts addresses for Services",
        [claim("shop-0a1b2c3d-lb-g1", allocated(8), { role: allocationRoles.growth })],
        "10.40.0.3",
        false,
      ],
      ["claims what is left", [claim("shop-0a1b2c3d-lb", allocated(8))], "10.40.0.2", true],
      [
        "does not count addresses in quarantine",
        [claim("shop-0a1b2c3d-lb", { phase: "Released", allocatedCount: 8 })].map((each) => ({
          ...each,
          metadata: { ...each.metadata, deletionTimestamp: "2026-03-01T12:00:00Z" },
        })),
        "10.40.0.3",
        true,
      ],
    ])("%s", (_what, allocations, end, isClaimed) => {
      const planned = planAddresses({ ...observing({ allocations }, limit), cluster: pinned(end) });
      expect(planned.apply).toHaveLength(isClaimed ? 1 : 0);
      if (!isClaimed) expect(planned.condition).toMatchObject({ status: "False", reason: "QuotaExceeded" });
    });

    it("claims no more than is left when a block grows", () => {
      const growth = claim("shop-0a1b2c3d-lb-g1", allocated(4), { role: allocationRoles.growth });
      const allocations = [claim("shop-0a1b2c3d-lb", allocated(4)), growth];
      const more = aTenantCluster({ networking: { lbPoolSize: 10 } });
      const { apply } = planAddresses({ ...observing({ allocations }, limit), cluster: more });
      expect(apply.map(({ spec }) => spec.count)).toEqual([2]);
    });
  });

  it("reports a missing pool", () => {
    expect(planAddresses(observing({ pools: [] })).condition).toMatchObject({
      status: "False",
      reason: "PoolNotFound",
    });
  });
});

it("tries pools by priority, then in list order", () => {
  const poolRefs = [{ name: "a", priority: 5 }, { name: "b" }, { name: "c", priority: 5 }, { name: "d", priority: -1 }];
  expect(poolOrder(provider({ poolRefs }))).toEqual(["d", "b", "a", "c"]);
});
