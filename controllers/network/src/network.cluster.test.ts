import { IPAllocation, NetworkPool, TenantCluster } from "@butler/api";
import { Machine } from "@butler/api-external";
import { builtinKinds, findCondition, type KubeObject } from "@butler/resource";
import { Forbidden } from "@butler/std";
import { anObject, eventually, installLooseCrds } from "@butler/testkit";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { networkControllers } from "./network-controllers.ts";
import { NetworkHarness } from "./testing/network-harness.ts";
import { aClaim, aCluster, aPool, namespace } from "./testing/objects.ts";

const poolKey = { name: "underlay", namespace };
const claimKey = { name: "shop-lb", namespace };

let harness: NetworkHarness;

beforeAll(async () => {
  harness = await NetworkHarness.start();
  await installLooseCrds(harness.client, [Machine]);
});
beforeEach(() => harness.create(TenantCluster, aCluster()));
afterEach(() => harness?.tidy());
afterAll(() => harness?.stop());

/** Waits until the status of a pool has certain values. */
async function poolSays(expected: Partial<NonNullable<NetworkPool["status"]>>, key = poolKey): Promise<void> {
  let last: NetworkPool["status"];
  await eventually(
    async () => {
      last = (await harness.client.get(NetworkPool, key)).status;
      expect(last).toMatchObject(expected);
      return true;
    },
    { what: () => `${JSON.stringify(expected)}; last seen ${JSON.stringify(last)}` },
  );
}

/** Reasons and counts of an object's events, except for interrupted passes. */
async function eventsOf({ metadata }: KubeObject): Promise<string[]> {
  const { items } = await harness.client.list(builtinKinds.Event, { namespace });
  const about = items.filter(({ involvedObject }) => (involvedObject as { uid: string }).uid === metadata.uid);
  return about
    .map(({ reason, count }) => `${String(reason)} ${String(count)}`)
    .filter((text) => !text.includes("Failed"))
    .sort();
}

describe("a claim", () => {
  it("gets addresses, and releases them after quarantine", async () => {
    await harness.create(NetworkPool, aPool({ spec: { quarantine: "3s" } }));
    await harness.create(IPAllocation, aClaim());
    const { isIdle, written, metrics } = await harness.run();
    const { status } = await harness.ready(IPAllocation, claimKey, "Allocated");
    expect(status).toMatchObject({ phase: "Allocated", cidr: "10.40.0.0/30", allocatedCount: 4 });
    expect(status?.addresses).toEqual(["10.40.0.0", "10.40.0.1", "10.40.0.2", "10.40.0.3"]);
    await poolSays({ totalIPs: 16, allocatedIPs: 4, availableIPs: 12, used: "25%", allocationCount: 1 });
    await eventually(isIdle);
    expect((await harness.client.get(NetworkPool, poolKey)).status?.grants).toBeUndefined();
    expect(await metrics.value("butler_network_pool_available_ips", { pool: "underlay", namespace })).toBe(12);
    expect(await metrics.value("butler_ip_allocation_processed_total", { result: "success" })).toBe(1);
    expect(written.filter((line) => line.startsWith("perform"))).toHaveLength(4);

    await harness.client.delete(IPAllocation, claimKey);
    await poolSays({ allocatedIPs: 0, quarantinedIPs: 4, availableIPs: 12 });
    const resting = await harness.client.get(IPAllocation, claimKey);
    expect(resting.status).toMatchObject({ phase: "Released", startAddress: "10.40.0.0" });
    expect(Date.parse(resting.status?.quarantineUntil ?? "")).toBeGreaterThan(Date.now() - 1_000);
    await harness.gone(IPAllocation, claimKey);
    await poolSays({ quarantinedIPs: 0, availableIPs: 16, used: "0%" });
    await harness.client.delete(NetworkPool, poolKey);
    await harness.gone(NetworkPool, poolKey);
    await eventually(async () => !(await metrics.text()).includes('pool="underlay"'));
  });

  it("reports why it is pending, is served once it can be, and does not block other claims", async () => {
    await harness.create(IPAllocation, aClaim({ name: "early" }));
    await harness.run();
    const early = await harness.ready(IPAllocation, { name: "early", namespace }, "PoolNotFound");
    expect(early.status?.phase).toBe("Pending");
    const ranges = [{ start: "10.40.0.0", end: "10.40.0.7" }];
    const reserved = [{ cidr: "10.40.0.6/31" }];
    await harness.create(NetworkPool, aPool({ spec: { quarantine: "1s", reserved, tenantAllocation: { ranges } } }));
    await harness.ready(IPAllocation, { name: "early", namespace }, "Allocated");
    const pin = (startAddress: string, endAddress: string) => ({ pinnedRange: { startAddress, endAddress } });
    await harness.create(IPAllocation, aClaim({ name: "large", spec: { count: 3 } }));
    await harness.create(IPAllocation, aClaim({ name: "outside", spec: pin("10.40.0.8", "10.40.0.9") }));
    await harness.create(IPAllocation, aClaim({ name: "kept", spec: pin("10.40.0.6", "10.40.0.6") }));
    await harness.create(IPAllocation, aClaim({ name: "taken", spec: pin("10.40.0.3", "10.40.0.3") }));
    await harness.create(IPAllocation, aClaim({ name: "small", spec: { count: 2 } }));
    await harness.ready(IPAllocation, { name: "small", namespace }, "Allocated");
    for (const [name, reason, phase] of [
      ["large", "PoolExhausted", "Pending"],
      ["outside", "PinnedOutside", "Failed"],
      ["kept", "PinnedReserved", "Failed"],
      ["taken", "PinnedTaken", "Failed"],
    ] as const) {
      expect((await harness.ready(IPAllocation, { name, namespace }, reason)).status?.phase).toBe(phase);
    }
    await harness.client.delete(IPAllocation, { name: "early", namespace });
    await harness.ready(IPAllocation, { name: "large", namespace }, "Allocated");
    await harness.ready(IPAllocation, { name: "taken", namespace }, "Allocated");
    await expect(
      harness.client.patch(
        IPAllocation,
        { name: "small", namespace },
        { type: "merge", patch: { spec: { count: 3 } } },
      ),
    ).rejects.toThrow("spec is immutable");
  });

  it("is deleted some time after its cluster, and a restart does not reset the grace period", async () => {
    await harness.create(NetworkPool, aPool({ spec: { quarantine: "0s" } }));
    await harness.create(IPAllocation, aClaim());
    const first = await harness.run({ orphanGraceMs: 5_000 });
    const claim = await harness.ready(IPAllocation, claimKey, "Allocated");
    await harness.client.delete(TenantCluster, { name: "shop", namespace: "payments" });
    const marked = await eventually(async () => {
      const { status } = await harness.client.get(IPAllocation, claimKey);
      return findCondition(status?.conditions, "Orphaned");
    });
    await first.kill();
    await harness.run({ orphanGraceMs: 5_000 });
    await harness.gone(IPAllocation, claimKey);
    const tookMs = Date.now() - Date.parse(marked.lastTransitionTime);
    expect(tookMs).toBeGreaterThanOrEqual(5_000);
    expect(tookMs).toBeLessThan(9_500);
    expect(await eventsOf(claim)).toEqual(["OrphanedAllocation 1"]);
  });

  it("is kept if its cluster is recreated in time", async () => {
    await harness.create(NetworkPool, aPool());
    await harness.create(IPAllocation, aClaim());
    await harness.run();
    await harness.ready(IPAllocation, claimKey, "Allocated");
    await harness.client.delete(TenantCluster, { name: "shop", namespace: "payments" });
    const orphaned = async () =>
      findCondition((await harness.client.get(IPAllocation, claimKey)).status?.conditions, "Orphaned");
    await eventually(orphaned);
    await harness.create(TenantCluster, aCluster());
    await eventually(async () => (await orphaned()) === undefined);
  });
});

describe("a pool", () => {
  it("is kept while its addresses are allocated, and reports the claims", async () => {
    await harness.create(NetworkPool, aPool({ spec: { quarantine: "1s" } }));
    await harness.create(IPAllocation, aClaim());
    await harness.run();
    await harness.ready(IPAllocation, claimKey, "Allocated");
    await harness.client.delete(NetworkPool, poolKey);
    const { status } = await harness.ready(NetworkPool, poolKey, "DeletionBlocked");
    expect(findCondition(status?.conditions, "Ready")?.message).toContain("release their addresses (1): shop-lb");
    await harness.create(IPAllocation, aClaim({ name: "late" }));
    await harness.ready(IPAllocation, { name: "late", namespace }, "PoolDeleting");
    await harness.client.delete(IPAllocation, claimKey);
    await harness.gone(NetworkPool, poolKey);
    await harness.ready(IPAllocation, { name: "late", namespace }, "PoolNotFound");
  });

  it("reports exhaustion and recovery, each once", async () => {
    await harness.create(NetworkPool, aPool({ spec: { quarantine: "0s" } }));
    const { isIdle, kill } = await harness.run();
    for (const name of ["one", "two", "three"]) await harness.create(IPAllocation, aClaim({ name }));
    await poolSays({ used: "75%" });
    await harness.create(IPAllocation, aClaim({ name: "four" }));
    await poolSays({ used: "100%" });
    await eventually(isIdle);
    await kill();
    const second = await harness.run();
    await eventually(second.isIdle);
    const pool = await harness.client.get(NetworkPool, poolKey);
    expect(pool.status?.conditions?.map(({ type, status }) => `${type} ${status}`).sort()).toEqual([
      "CapacityCritical True",
      "CapacityExhausted True",
      "CapacityWarning True",
      "Ready True",
    ]);
    for (const name of ["one", "two", "three"]) await harness.client.delete(IPAllocation, { name, namespace });
    await poolSays({ used: "25%" });
    const expected = ["PoolCapacityExhausted 1", "PoolCapacityRecovered 1", "PoolCapacityWarning 1"];
    await eventually(async () => {
      expect(await eventsOf(pool)).toEqual(expected);
      return true;
    });
  });

  it("that overlaps another one created at the same time allocates nothing until that one is deleted", async () => {
    const names = ["left", "right"];
    await harness.run();
    await Promise.all(names.map((name) => harness.create(NetworkPool, aPool({ name }))));
    for (const name of names) await harness.create(IPAllocation, aClaim({ name, spec: { poolRef: { name } } }));
    const reasons = await eventually(async () => {
      const pools = await Promise.all(names.map((name) => harness.client.get(NetworkPool, { name, namespace })));
      const found = pools.map(({ status }) => findCondition(status?.conditions, "Ready")?.reason);
      return found.every((reason) => reason === "PoolAvailable" || reason === "OverlapsPool") && found;
    });
    expect([...reasons].sort()).toEqual(["OverlapsPool", "PoolAvailable"]);
    const [active = "", back = ""] = reasons[0] === "PoolAvailable" ? names : [...names].reverse();
    await harness.ready(IPAllocation, { name: active, namespace }, "Allocated");
    await harness.ready(IPAllocation, { name: back, namespace }, "PoolOverlaps");
    const patch = { spec: { quarantine: "0s" } };
    await harness.client.patch(NetworkPool, { name: active, namespace }, { type: "merge", patch });
    await harness.ready(NetworkPool, { name: active, namespace }, "PoolAvailable");
    await harness.client.delete(IPAllocation, { name: active, namespace });
    await harness.client.delete(NetworkPool, { name: active, namespace });
    await harness.ready(IPAllocation, { name: back, namespace }, "Allocated");
  });

  it("never allocates addresses in use by the management cluster", async () => {
    const service = anObject(builtinKinds.Service, { name: "web", namespace: "payments", body: balancer });
    await harness.create(builtinKinds.Service, service);
    harness.later(() => harness.client.delete(builtinKinds.Service, { name: "web", namespace: "payments" }));
    const ingress = { status: { loadBalancer: { ingress: [{ ip: "10.40.0.1" }] } } };
    const options = { type: "merge", subresource: "status", patch: ingress } as const;
    await harness.client.patch(builtinKinds.Service, { name: "web", namespace: "payments" }, options);
    const addresses = [
      { type: "InternalIP", address: "10.40.0.6" },
      { type: "Hostname", address: "machine" },
    ];
    await harness.create(Machine, anObject(Machine, { name: "m", namespace, body: { status: { addresses } } }));
    harness.later(() => harness.client.delete(Machine, { name: "m", namespace }));
    await harness.client.patch(
      Machine,
      { name: "m", namespace },
      { type: "merge", subresource: "status", patch: { status: { addresses } } },
    );
    await harness.create(NetworkPool, aPool({ spec: { cidr: "10.40.0.0/29" } }));
    for (const name of ["one", "two", "three"])
      await harness.create(IPAllocation, aClaim({ name, spec: { count: 2 } }));
    await harness.run();
    // They were created in the same second, so their names decide.
    await harness.ready(IPAllocation, { name: "two", namespace }, "PoolExhausted");
    await poolSays({
      availableIPs: 2,
      allocatedIPs: 4,
      infrastructureConsumedIPs: 2,
      infrastructureAllocations: [
        { ip: "10.40.0.1", source: "metallb", serviceRef: { name: "web", namespace: "payments" } },
        { ip: "10.40.0.6", source: "machine", machineRef: { name: "m", namespace } },
      ],
    });
  });
});

const balancer = { spec: { type: "LoadBalancer", ports: [{ port: 80 }] } };

it("the controllers have exactly the required permissions", async () => {
  const limited = await harness.asController("network", networkControllers);
  await harness.create(NetworkPool, aPool({ spec: { quarantine: "0s" } }));
  await harness.create(IPAllocation, aClaim());
  await harness.run({ client: limited, orphanGraceMs: 1 });
  await harness.ready(IPAllocation, claimKey, "Allocated");
  await expect(limited.delete(NetworkPool, poolKey)).rejects.toBeInstanceOf(Forbidden);
  await harness.client.delete(TenantCluster, { name: "shop", namespace: "payments" });
  await harness.gone(IPAllocation, claimKey);
  await harness.client.delete(NetworkPool, poolKey);
  await harness.gone(NetworkPool, poolKey);
});
