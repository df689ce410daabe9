import { annotations, IPAllocation } from "@butler/api";
import { eventually } from "@butler/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { aPool } from "../testing/objects.ts";
import { Service } from "./kinds.ts";
import { TenantWorld } from "./testing/tenant-world.ts";

let world: TenantWorld;

beforeAll(async () => {
  world = await TenantWorld.start();
});
afterEach(() => world?.tidy());
afterAll(() => world?.stop());

const elastic = (shrinkAfter: string) => ({ allocationMode: "elastic", growthIncrement: 2, shrinkAfter });
const key = (name: string) => ({ name, namespace: "default" });

describe("where Butler assigns addresses itself", () => {
  it("Services get addresses of the cluster's claim, and release them", async () => {
    await world.makeCluster();
    const { isIdle, written, metrics } = await world.run();
    await world.createService("web");
    expect(await world.served("web")).toBe("10.40.0.0");
    await world.createService("theirs", { loadBalancerClass: "example.com/other" });
    await world.createService("wish", { loadBalancerIP: "10.40.0.1" });
    expect(await world.served("wish")).toBe("10.40.0.1");
    await eventually(isIdle);
    expect(await world.addressOf("theirs")).toBeUndefined();
    const of = { namespace: "payments", name: "shop" };
    expect(await metrics.value("butler_tenant_load_balancer_addresses", { ...of, state: "used" })).toBe(2);
    expect(await metrics.value("butler_tenant_load_balancers_waiting", of)).toBe(1);
    expect(written.filter((line) => line.startsWith("perform"))).toHaveLength(2);

    // Both are in use and the mode is static: a new Service waits until one of them changes its type.
    await world.createService("late");
    const says = async (): Promise<boolean> => (await world.events()).includes("LoadBalancerPoolExhausted");
    await eventually(says, { what: "an event about too few addresses" });
    expect(await world.growth()).toEqual([]);
    const patch = { type: "merge", patch: { spec: { type: "ClusterIP" } } } as const;
    await world.tenant.client.patch(Service, key("web"), patch);
    expect(await world.served("late")).toBe("10.40.0.0");
    expect(await world.addressOf("web")).toBeUndefined();
  });

  it("the cluster's addresses grow and shrink with its Services, across a restart", async () => {
    await world.makeCluster({ loadBalancer: elastic("4s"), pools: [aPool({ spec: { quarantine: "1s" } })] });
    const first = await world.run();
    for (const name of ["a", "b", "c", "d", "e"]) await world.createService(name);
    const addresses = await Promise.all(["a", "b", "c", "d", "e"].map((name) => world.served(name)));
    expect(new Set(addresses).size).toBe(5);
    const grown = await world.growth();
    expect(grown.length).toBeGreaterThan(0);
    await eventually(async () => (await world.events()).includes("LoadBalancerPoolGrown"), { what: "the event" });
    await eventually(first.isIdle);
    expect(await world.growth()).toEqual(grown);

    // The initial block stays in use; what was added is not.
    const added = ["a", "b", "c", "d", "e"].filter(
      (_name, at) => !["10.40.0.0", "10.40.0.1"].includes(addresses[at] ?? ""),
    );
    for (const name of added) await world.deleteService(name);
    const noted = await eventually(async () => {
      const notes = (await world.claims()).map(({ metadata }) => metadata.annotations?.[annotations.unusedSince]);
      return notes.filter((note) => note !== undefined).length === grown.length && notes;
    });
    await first.end();
    await world.run();
    await eventually(async () => (await world.growth()).length === 0, { timeoutMs: 20_000, what: "no added claims" });
    const sinceMs = Math.max(...noted.map((note) => Date.parse(note ?? "1970-01-01")));
    expect(Date.now() - sinceMs).toBeGreaterThanOrEqual(4_000);
    // Events are recorded after the change.
    await eventually(async () => (await world.events()).includes("LoadBalancerPoolShrunk"), { what: "the event" });
    expect((await world.claims()).map(({ metadata }) => metadata.name)).toEqual(["shop-lb"]);
    await eventually(async () => (await world.client.list(IPAllocation)).items.length === 1, { timeoutMs: 20_000 });
  });

  it("the cluster's addresses grow into the next pool, up to the limit", async () => {
    const tiny = aPool({ spec: { cidr: "10.40.0.0/31" } });
    const next = aPool({ name: "next", spec: { cidr: "10.50.0.0/28" } });
    await world.makeCluster({ loadBalancer: elastic("1h"), pools: [tiny, next], maxLoadBalancerIPs: 5 });
    const { isIdle } = await world.run();
    for (const name of ["a", "b", "c", "d", "e", "f"]) await world.createService(name);
    const served = async (): Promise<boolean> => {
      const addresses = await Promise.all(["a", "b", "c", "d", "e", "f"].map((name) => world.addressOf(name)));
      return addresses.filter((address) => address !== undefined).length === 5;
    };
    await eventually(served, { timeoutMs: 20_000, what: "five of six with addresses" });
    const says = async (): Promise<boolean> => (await world.events()).includes("LoadBalancerQuotaReached");
    await eventually(says, { what: "an event about the limit" });
    await eventually(isIdle);
    const claims = await world.claims();
    expect(claims.reduce((sum, { status }) => sum + (status?.allocatedCount ?? 0), 0)).toBe(5);
    expect((await world.growth()).every((text) => text.startsWith("next 10.50.0."))).toBe(true);
  });

  it("an unreachable tenant keeps its addresses, and is reconciled once it is reachable again", async () => {
    await world.makeCluster({ loadBalancer: elastic("6s"), initial: 1 });
    await world.run();
    await world.createService("a");
    await world.createService("b");
    await Promise.all([world.served("a"), world.served("b")]);
    expect(await world.growth()).toHaveLength(1);
    const added = (await world.addressOf("a")) === "10.40.0.0" ? "b" : "a";
    await world.deleteService(added);
    const unusedSince = await eventually(async () => {
      const notes = (await world.claims()).map(({ metadata }) => metadata.annotations?.[annotations.unusedSince]);
      return notes.find((note) => note !== undefined);
    });
    await world.tenant.controlPlane.stopApiServer({ signal: "SIGKILL" });
    try {
      const isOverdue = (): boolean => Date.now() > Date.parse(unusedSince) + 8_000;
      await eventually(isOverdue, { timeoutMs: 20_000, what: "the time to give the block up" });
      expect(await world.growth()).toHaveLength(1);
    } finally {
      await world.tenant.controlPlane.startApiServer();
    }
    await eventually(async () => (await world.growth()).length === 0, { timeoutMs: 30_000, what: "no added claim" });
  });
});
