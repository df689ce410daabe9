import { IPAllocation } from "@butler/api";
import { builtinKinds, type KubeObject } from "@butler/resource";
import { eventually } from "@butler/testkit";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { aPool, namespace } from "../testing/objects.ts";
import { IPAddressPool, L2Advertisement, Service } from "./kinds.ts";
import { metalLbNamespace } from "./metallb.ts";
import { installMetalLbCrds } from "./testing/metallb-crds.ts";
import { TenantHarness } from "./testing/tenant-harness.ts";

let harness: TenantHarness;
const poolKey = { name: "default-pool", namespace: metalLbNamespace };

beforeAll(async () => {
  harness = await TenantHarness.start();
});
afterEach(() => harness?.tidy());
afterAll(() => harness?.stop());

/** Addresses that MetalLB can assign. */
async function handedOut(): Promise<readonly string[] | undefined> {
  const pool = await harness.tenant.client.find(IPAddressPool, poolKey).catch(() => undefined);
  return (pool as KubeObject as IPAddressPool | undefined)?.spec.addresses;
}

async function untilHandedOut(expected: readonly string[] | undefined): Promise<void> {
  let last: readonly string[] | undefined;
  const isSo = async (): Promise<boolean> => {
    last = await handedOut();
    return JSON.stringify(last) === JSON.stringify(expected);
  };
  await eventually(isSo, { timeoutMs: 40_000, what: () => `${expected?.join()}; last ${last?.join()}` });
}

/** Assigns an address to a Service like MetalLB. */
async function give(name: string, ip: string): Promise<void> {
  const patch = { status: { loadBalancer: { ingress: [{ ip }] } } };
  await harness.tenant.client.patch(
    Service,
    { name, namespace: "default" },
    { type: "merge", subresource: "status", patch },
  );
}

it("MetalLB has exactly the cluster's addresses once it is installed, and loses a block before the claim is deleted", async () => {
  const loadBalancer = { allocationMode: "elastic", growthIncrement: 2, shrinkAfter: "3s" };
  const pools = [aPool({ spec: { quarantine: "1s" } })];
  await harness.makeCluster({ provider: "harvester", loadBalancer, pools });
  const { written } = await harness.run();
  await harness.createService("early");
  // MetalLB is installed after the cluster has its addresses.
  await harness.tenant.createNamespace(metalLbNamespace);
  await installMetalLbCrds(harness.tenant.client);
  await untilHandedOut(["10.40.0.0/31"]);
  const advertisement = { name: "default", namespace: metalLbNamespace };
  await eventually(() => harness.tenant.client.find(L2Advertisement, advertisement));
  expect((await harness.tenant.client.get(L2Advertisement, advertisement))["spec"]).toEqual({
    ipAddressPools: ["default-pool"],
  });

  // Manual changes are reverted.
  const patch = { spec: { addresses: ["192.0.2.0/24"] } };
  await harness.tenant.client.patch(IPAddressPool, poolKey, { type: "merge", patch });
  await untilHandedOut(["10.40.0.0/31"]);

  // Three Services, two addresses: a block is added, and one address of it is assigned.
  await give("early", "10.40.0.0");
  for (const name of ["second", "third"]) await harness.createService(name);
  await give("second", "10.40.0.1");
  await untilHandedOut(["10.40.0.0/31", "10.40.0.2/31"]);
  await give("third", "10.40.0.3");
  await eventually(async () => (await harness.growth()).join() === "underlay 10.40.0.2/31");

  // Unused again: the block is removed from MetalLB first, then from the cluster.
  const history: string[] = [];
  const note = async (): Promise<boolean> => {
    const isPublished = (await handedOut())?.includes("10.40.0.2/31") === true;
    const isClaimed = (await harness.growth()).length > 0;
    history.push(`${isPublished} ${isClaimed}`);
    return !isPublished && !isClaimed;
  };
  await harness.deleteService("third");
  await eventually(note, { timeoutMs: 20_000, intervalMs: 20, what: "the end of the block" });
  expect(history).not.toContain("true false");
  await eventually(async () => {
    const events = await harness.events();
    return events.includes("LoadBalancerPoolGrown") && events.includes("LoadBalancerPoolShrunk");
  });
  const performed = written.filter((line) => line === "perform publishBlocks").length;
  expect(performed).toBeLessThanOrEqual(6);

  // MetalLB's objects are deleted with the last block.
  await harness.client.delete(IPAllocation, { name: "shop-lb", namespace });
  await untilHandedOut(undefined);
  expect(await harness.tenant.client.find(builtinKinds.Namespace, { name: metalLbNamespace })).toBeDefined();
});
