import { IPAllocation, NetworkPool, ProviderConfig, TenantCluster } from "@butler/api";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { useHarness } from "../testing/harness.ts";

const harness = useHarness("butleradm-network-changing");
const namespace = "butler-system";
const pool = (): Promise<NetworkPool> => harness.cluster.client.get(NetworkPool, { name: "lab", namespace });
const create = "network create lab --cidr 10.40.0.0/24 --range 10.40.0.64-10.40.0.127 --reserve 10.40.0.0/28=Switches";

describe("butleradm network create, resize and delete", () => {
  it("creates a pool", async () => {
    const dry = await harness.run(`${create} --lb-per-tenant 4 --dry-run`);
    expect(parse(dry.stdout)).toMatchObject({ kind: "NetworkPool", spec: { cidr: "10.40.0.0/24" } });
    expect((await harness.run("network list")).stdout).toBe("");
    expect((await harness.run(`${create} --lb-per-tenant 4`)).code).toBe(0);
    expect((await pool()).spec).toMatchObject({
      reserved: [{ cidr: "10.40.0.0/28", description: "Switches" }],
      tenantAllocation: { ranges: [{ start: "10.40.0.64", end: "10.40.0.127" }], defaults: { lbPoolPerTenant: 4 } },
    });
    expect((await harness.run(create)).stderr).toContain("NetworkPool butler-system/lab already exists");
    const wrong = await harness.run("network create other --cidr 10.40.0.0/33");
    expect(wrong.code).not.toBe(0);
    expect(wrong.stderr).toContain("was rejected:\n  spec.cidr");
    expect((await harness.run("network create other --cidr 10.0.0.0/8 --range 10.0.0.9-10.0.0.1")).code).toBe(2);
    expect((await harness.run("network create other")).code).toBe(2);
  });

  it("resizes a pool", async () => {
    const line = "network resize lab --cidr 10.40.0.0/23 --add-range 10.40.0.32-10.40.0.47 --unreserve 10.40.0.0/28";
    const dry = await harness.run(`${line} --dry-run`);
    expect(parse(dry.stdout)).toMatchObject({ cidr: "10.40.0.0/23" });
    expect((await pool()).spec.cidr).toBe("10.40.0.0/24");
    expect((await harness.run(`${line} --reserve 10.40.1.0/28`)).code).toBe(0);
    expect((await pool()).spec).toMatchObject({
      cidr: "10.40.0.0/23",
      reserved: [{ cidr: "10.40.1.0/28" }],
      tenantAllocation: {
        ranges: [
          { start: "10.40.0.32", end: "10.40.0.47" },
          { start: "10.40.0.64", end: "10.40.0.127" },
        ],
      },
    });
    expect((await harness.run("network resize lab --remove-range 10.40.0.1-10.40.0.2")).stderr).toContain(
      "Current ranges: 10.40.0.32-",
    );
    expect((await harness.run("network resize lab")).code).toBe(2);
    expect((await harness.run("network resize nowhere --cidr 10.0.0.0/8")).stderr).toContain(
      "network pool nowhere not found",
    );
  });

  it("lists allocations, and releases those of a deleted cluster", async () => {
    for (const name of ["shop", "gone"]) {
      const spec = {
        poolRef: { name: "lab" },
        tenantClusterRef: { name, namespace: "payments" },
        type: "loadbalancer",
      };
      await harness.create(IPAllocation, { name: `${name}-lb`, namespace }, { spec });
      const [startAddress, endAddress] = name === "shop" ? ["10.40.0.64", "10.40.0.67"] : ["10.40.0.32", "10.40.0.35"];
      await harness.report(
        IPAllocation,
        { name: `${name}-lb`, namespace },
        { phase: "Allocated", startAddress, endAddress },
      );
    }
    await harness.create(TenantCluster, { name: "shop", namespace: "payments" }, { spec: {} });
    const { stdout } = await harness.run("network allocations list --pool lab");
    expect(stdout).toMatch(
      /^lab +10\.40\.0\.32-10\.40\.0\.35 +payments\/gone [^]*^lab +10\.40\.0\.64-.*payments\/shop /m,
    );
    expect((await harness.run("network allocations list --cluster payments/shop -o name")).stdout).toBe(
      "ipallocation/shop-lb\n",
    );
    expect((await harness.run("network allocations list --cluster nobody")).stderr).toContain("No allocations found");
    expect((await harness.run("network allocations release shop-lb --yes")).stderr).toContain(
      "in use by the cluster payments/shop",
    );
    expect((await harness.run("network allocations release gone-lb")).code).toBe(2);
    expect((await harness.run("network allocations release gone-lb --yes")).code).toBe(0);
    expect((await harness.run("network allocations list -o name")).stdout).toBe("ipallocation/shop-lb\n");
    expect((await harness.run("network allocations release nowhere")).stderr).toContain("allocation nowhere not found");
  });

  it("deletes an unused pool", async () => {
    expect((await harness.run("network delete lab --yes")).stderr).toContain("in use: shop-lb (payments/shop)");
    expect((await harness.run("network allocations release shop-lb --force --yes")).code).toBe(0);
    const spec = { provider: "local", network: { mode: "ipam", poolRefs: [{ name: "lab" }] } };
    await harness.create(ProviderConfig, { name: "here", namespace }, { spec });
    expect((await harness.run("network delete lab --yes")).stderr).toContain(
      "providers use the pool lab: butler-system/here",
    );
    await harness.cluster.client.delete(ProviderConfig, { name: "here", namespace });
    expect((await harness.run("network delete lab")).code).toBe(2);
    expect((await harness.run("network delete lab --yes")).stderr).toBe("The pool lab was deleted.\n");
  });
});
