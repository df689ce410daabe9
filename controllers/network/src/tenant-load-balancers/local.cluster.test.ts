import { annotations, IPAllocation } from "@butler/api";
import { eventually } from "@butler/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { aPool } from "../testing/objects.ts";
import { Service } from "./kinds.ts";
import { TenantHarness } from "./testing/tenant-harness.ts";

let harness: TenantHarness;

beforeAll(async () => {
  harness = await TenantHarness.start();
});
afterEach(() => harness?.tidy());
afterAll(() => harness?.stop());

const elastic = (shrinkAfter: string) => ({ allocationMode: "elastic", growthIncrement: 2, shrinkAfter });
const key = (name: string) => ({ name, namespace: "default" });

describe("where Butler assigns addresses itself", () => {
  it("Services get addresses of the cluster's claim, and release them", async () => {
    await harness.makeCluster();
    const { isIdle, written, metrics } = await harness.run();
    await harness.createService("web");
    expect(await harness.served("web")).toBe("10.40.0.0");
    await harness.createService("theirs", { loadBalancerClass: "example.com/other" });
    await harness.createService("wish", { loadBalancerIP: "10.40.0.1" });
    expect(await harness.served("wish")).toBe("10.40.0.1");
    await eventually(isIdle);
    expect(await harness.addressOf("theirs")).toBeUndefined();
    const of = { namespace: "payments", name: "shop" };
    expect(await metrics.value("butler_tenant_load_balancer_addresses", { ...of, state: "used" })).toBe(2);
    expect(await metrics.value("butler_tenant_load_balancers_waiting", of)).toBe(1);
    expect(written.filter((line) => line.startsWith("perform"))).toHaveLength(2);

    // Both are in use and the mode is static: a new Service waits until one of them changes its type.
    await harness.createService("late");
    const says = async (): Promise<boolean> => (await harness.events()).includes("LoadBalancerPoolExhausted");
    await eventually(says, { what: "an event about too few addresses" });
    expect(await harness.growth()).toEqual([]);
    const patch = { type: "merge", patch: { spec: { type: "ClusterIP" } } } as const;
    await harness.tenant.client.patch(Service, key("web"), patch);
    expect(await harness.served("late")).toBe("10.40.0.0");
    expect(await harness.addressOf("web")).toBeUndefined();
  });

  it("the cluster's addresses grow and shrink with its Services, across a restart", async () => {
    await harness.makeCluster({ loadBalancer: elastic("4s"), pools: [aPool({ spec: { quarantine: "1s" } })] });
    const first = await harness.run();
    for (const name of ["a", "b", "c", "d", "e"]) await harness.createService(name);
    const addresses = await Promise.all(["a", "b", "c", "d", "e"].map((name) => harness.served(name)));
    expect(new Set(addresses).size).toBe(5);
    const grown = await harness.growth();
    expect(grown.length).toBeGreaterThan(0);
    await eventually(async () => (await harness.events()).includes("LoadBalancerPoolGrown"), { what: "the event" });
    await eventually(first.isIdle);
    expect(await harness.growth()).toEqual(grown);

    // The initial block stays in use; what was added is not.
    const added = ["a", "b", "c", "d", "e"].filter(
      (_name, at) => !["10.40.0.0", "10.40.0.1"].includes(addresses[at] ?? ""),
    );
    for (const name of added) await harness.deleteService(name);
    const noted = await eventually(async () => {
      const notes = (await harness.claims()).map(({ metadata }) => metadata.annotations?.[annotations.unusedSince]);
      return notes.filter((note) => note !== undefined).length === grown.length && notes;
    });
    await first.end();
    await harness.run();
    await eventually(async () => (await harness.growth()).length === 0, { timeoutMs: 20_000, what: "no added claims" });
    const sinceMs = Math.max(...noted.map((note) => Date.parse(note ?? "1970-01-01")));
    expect(Date.now() - sinceMs).toBeGreaterThanOrEqual(4_000);
    // Events are recorded after the change.
    await eventually(async () => (await harness.events()).includes("LoadBalancerPoolShrunk"), { what: "the event" });
    expect((await harness.claims()).map(({ metadata }) => metadata.name)).toEqual(["shop-lb"]);
    await eventually(async () => (await harness.client.list(IPAllocation)).items.length === 1, { timeoutMs: 20_000 });
  });

  it("the cluster's addresses grow into the next pool, up to the limit", async () => {
    const tiny = aPool({ spec: { cidr: "10.40.0.0/31" } });
    const next = aPool({ name: "next", spec: { cidr: "10.50.0.0/28" } });
    await harness.makeCluster({ loadBalancer: elastic("1h"), pools: [tiny, next], maxLoadBalancerIPs: 5 });
    const { isIdle } = await harness.run();
    for (const name of ["a", "b", "c", "d", "e", "f"]) await harness.createService(name);
    const served = async (): Promise<boolean> => {
      const addresses = await Promise.all(["a", "b", "c", "d", "e", "f"].map((name) => harness.addressOf(name)));
      return addresses.filter((address) => address !== undefined).length === 5;
    };
    await eventually(served, { timeoutMs: 20_000, what: "five of six with addresses" });
    const says = async (): Promise<boolean> => (await harness.events()).includes("LoadBalancerQuotaReached");
    await eventually(says, { what: "an event about the limit" });
    await eventually(isIdle);
    const claims = await harness.claims();
    expect(claims.reduce((sum, { status }) => sum + (status?.allocatedCount ?? 0), 0)).toBe(5);
    expect((await harness.growth()).every((text) => text.startsWith("next 10.50.0."))).toBe(true);
  });

  it("an unreachable tenant keeps its addresses, and is reconciled once it is reachable again", async () => {
    await harness.makeCluster({ loadBalancer: elastic("6s"), initial: 1 });
    await harness.run();
    await harness.createService("a");
    await harness.createService("b");
    await Promise.all([harness.served("a"), harness.served("b")]);
    expect(await harness.growth()).toHaveLength(1);
    const added = (await harness.addressOf("a")) === "10.40.0.0" ? "b" : "a";
    await harness.deleteService(added);
    const unusedSince = await eventually(async () => {
      const notes = (await harness.claims()).map(({ metadata }) => metadata.annotations?.[annotations.unusedSince]);
      return notes.find((note) => note !== undefined);
    });
    await harness.tenant.controlPlane.stopApiServer({ signal: "SIGKILL" });
    try {
      const isOverdue = (): boolean => Date.now() > Date.parse(unusedSince) + 8_000;
      await eventually(isOverdue, { timeoutMs: 20_000, what: "the time to give the block up" });
      expect(await harness.growth()).toHaveLength(1);
    } finally {
      await harness.tenant.controlPlane.startApiServer();
    }
    await eventually(async () => (await harness.growth()).length === 0, { timeoutMs: 30_000, what: "no added claim" });
  });
});
