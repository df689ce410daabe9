import { IPAllocation, NetworkPool } from "@butler/api";
import type { Run } from "@butler/cli-kit/testing";
import { apiVersionOf, type Kind } from "@butler/resource";
import { aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runButleradm } from "../testing/run-butleradm.ts";

const namespace = "butler-system";
let cluster: TestCluster;

/** Runs the real command line as a separate process; words must not contain spaces. */
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
    cluster = await aTestCluster({ resources: [NetworkPool, IPAllocation] });
    await cluster.createNamespace(namespace);
  });
  afterAll(() => cluster?.stop());

  it("shows how to create the first pool", async () => {
    const { code, stdout, stderr } = await run("network list");
    expect([code, stdout]).toEqual([0, ""]);
    expect(stderr).toContain("No network pools found");
  });

  it("lists pools with their usage", async () => {
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
      "QUARANTINED",
      "AVAILABLE",
      "USED",
      "LARGEST",
      "AGE",
    ]);
    expect(row.split(/\s+/).slice(0, 8)).toEqual(["lab", "10.40.0.0/26", "56", "8", "4", "44", "21%", "40"]);
    expect((await run("network list -o name")).stdout).toBe("networkpool/lab\n");
  });

  it("shows the map and the allocations of a pool", async () => {
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
    expect(stdout).toMatch(/10\.40\.0\.16-10\.40\.0\.19 .*Released +old-lb .*quarantined until 2026-03-01T12:05:00Z/);
    expect(stdout).toMatch(/8 requested .*Pending +late-lb/);
    const asJson = JSON.parse((await run("network show lab -o json")).stdout) as { allocations: IPAllocation[] };
    expect(asJson.allocations.map(({ metadata }) => metadata.name)).toEqual(["shop-lb", "old-lb", "late-lb"]);
  });

  it.each([
    [
      "network show nowhere",
      3,
      "network pool nowhere not found in namespace butler-system\nList them with: butleradm network list",
    ],
    ["network show lab --rows many", 1, 'invalid value for --rows: "many"\nMust be an integer from 1 to 200.'],
    ["network show", 2, "missing required argument 'pool'"],
    ["netwrok list", 2, "unknown command 'netwrok'"],
  ])("rejects %s", async (line, code, message) => {
    const refused = await run(line);
    expect(refused.stderr).toContain(message);
    expect([refused.code, refused.stdout]).toEqual([code, ""]);
  });
});
