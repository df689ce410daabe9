import { IPAllocation, NetworkPool } from "@butler/api";
import type { Run } from "@butler/cli-kit/testing";
import { apiVersionOf, type Kind } from "@butler/resource";
import { startTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runButleradm } from "../testing/run-butleradm.ts";

const namespace = "butler-system";
let cluster: TestCluster;

/** Runs the real command line, whose words have no spaces in them, as a process of its own. */
function run(line: string): Promise<Run> {
  return runButleradm(line, { kubeconfig: cluster.controlPlane.kubeconfigPath });
}

async function make(kind: Kind, name: string, { spec, status }: { spec: object; status: object }): Promise<void> {
  const object = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: { name, namespace }, spec };
  await cluster.client.create(kind, object);
  const patch = { type: "merge", patch: { status }, subresource: "status" } as const;
  await cluster.client.patch(kind, { name, namespace }, patch);
}

const claim = (name: string, status: object) =>
  make(IPAllocation, name, {
    spec: {
      poolRef: { name: "lab" },
      tenantClusterRef: { name: "shop", namespace: "payments" },
      type: "loadbalancer",
      count: 8,
    },
    status,
  });

describe("butleradm network", () => {
  beforeAll(async () => {
    cluster = await startTestCluster({ name: "butleradm-network", resources: [NetworkPool, IPAllocation] });
    await cluster.createNamespace(namespace);
  });
  afterAll(() => cluster?.stop());

  it("says how to begin when there is no pool", async () => {
    const { code, stdout, stderr } = await run("network list");
    expect([code, stdout]).toEqual([0, ""]);
    expect(stderr).toContain("There are no network pools");
  });

  it("lists pools with their use", async () => {
    await make(NetworkPool, "lab", {
      spec: { cidr: "10.40.0.0/26", reserved: [{ cidr: "10.40.0.0/29" }] },
      status: { totalIPs: 56, allocatedIPs: 8, quarantinedIPs: 4, availableIPs: 44, used: "21%", largestFreeBlock: 40 },
    });
    const { stdout } = await run("network list");
    const [header = "", row = ""] = stdout.split("\n");
    expect(header.split(/\s+/)).toEqual([
      "NAME",
      "CIDR",
      "TOTAL",
      "ALLOCATED",
      "RESTING",
      "AVAILABLE",
      "USED",
      "LARGEST",
      "AGE",
    ]);
    expect(row.split(/\s+/).slice(0, 8)).toEqual(["lab", "10.40.0.0/26", "56", "8", "4", "44", "21%", "40"]);
    expect((await run("network list -o name")).stdout).toBe("networkpool/lab\n");
  });

  it("draws a pool and names who has its addresses", async () => {
    await claim("shop-lb", {
      phase: "Allocated",
      startAddress: "10.40.0.8",
      endAddress: "10.40.0.15",
      cidr: "10.40.0.8/29",
      allocatedCount: 8,
    });
    await claim("old-lb", {
      phase: "Released",
      startAddress: "10.40.0.16",
      endAddress: "10.40.0.19",
      quarantineUntil: "2026-03-01T12:05:00Z",
    });
    await claim("late-lb", { phase: "Pending" });
    const { stdout, code } = await run("network show lab");
    expect(code).toBe(0);
    const cells = stdout.split("\n").flatMap((line) => /^10\.40\.0\.\d+ +([^\w\s]\S*)$/.exec(line)?.[1] ?? []);
    expect(cells.join("")).toBe(`${"=".repeat(8)}${"█".repeat(8)}~~~~${"·".repeat(44)}`);
    expect(stdout).toMatch(/10\.40\.0\.8\/29 +payments\/shop +loadbalancer +Allocated +shop-lb/);
    expect(stdout).toMatch(/10\.40\.0\.16-10\.40\.0\.19 .*Released +old-lb .*rests until 2026-03-01T12:05:00Z/);
    expect(stdout).toMatch(/8 wanted .*Pending +late-lb/);
    const asJson = JSON.parse((await run("network show lab -o json")).stdout) as { allocations: IPAllocation[] };
    expect(asJson.allocations.map(({ metadata }) => metadata.name)).toEqual(["shop-lb", "old-lb", "late-lb"]);
  });

  it.each([
    [
      "network show nowhere",
      3,
      "there is no network pool nowhere in namespace butler-system\nRun: butleradm network list",
    ],
    ["network show lab --rows many", 1, '--rows is "many"\nGive a whole number from 1 to 200.'],
    ["network show", 2, "missing required argument 'pool'"],
    ["netwrok list", 2, "unknown command 'netwrok'"],
  ])("refuses %s", async (line, code, message) => {
    const refused = await run(line);
    expect(refused.stderr).toContain(message);
    expect([refused.code, refused.stdout]).toEqual([code, ""]);
  });
});
