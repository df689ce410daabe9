import { eventually } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canHostEngine, EngineWithButler } from "./lib/engine-with-butler.ts";
import type { TenantClusters } from "./lib/tenant-clusters.ts";

const minutes = 60_000;
const team = "demo-team";
const names = ["red", "green", "blue"];

let platform: EngineWithButler;
let clusters: TenantClusters;

const machines = async (): Promise<string[]> =>
  (await platform.kubectl.run("get", "machines", "-A", "-o", "name")).split("\n").filter(Boolean);

describe.runIf(canHostEngine)("three tenant clusters at once", { timeout: 8 * minutes }, () => {
  beforeAll(async () => {
    platform = await EngineWithButler.shared("upgrades");
    clusters = await platform.exampleTeam();
  }, 6 * minutes);

  afterAll(() => platform?.leave(), 3 * minutes);

  it("become ready, even when the management API server crashes during creation", async () => {
    const startedAt = performance.now();
    await Promise.all(names.map((name) => clusters.create(name)));
    await eventually(async () => (await machines()).length > 0, { timeoutMs: 2 * minutes });
    await platform.crashApiServer();
    const ready = await Promise.all(names.map((name) => clusters.settled(name)));
    console.log(`three ready after ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
    expect(ready.map(({ status }) => status?.workerNodesReady)).toEqual([1, 1, 1]);
    expect(new Set(ready.map(({ status }) => status?.controlPlaneEndpoint)).size).toBe(3);
  });

  it("scale up, even when it crashes meanwhile", async () => {
    await Promise.all(names.map((name) => clusters.patch(name, { workers: { replicas: 2 } })));
    await platform.crashApiServer();
    const grown = await Promise.all(names.map((name) => clusters.settled(name)));
    expect(grown.map(({ status }) => status?.workerNodesReady)).toEqual([2, 2, 2]);
    expect(await machines()).toHaveLength(6);
  });

  it("are deleted completely, even when it crashes meanwhile", async () => {
    await platform.kubectl.run("delete", "tenantclusters", "--all", "-n", team, "--wait=false");
    await eventually(async () => (await machines()).length < 6, { timeoutMs: 2 * minutes });
    await platform.crashApiServer();
    const gone = async (): Promise<boolean> =>
      (await platform.kubectl.run("get", "tenantclusters", "-n", team, "-o", "name")) === "";
    await eventually(gone, { timeoutMs: 3 * minutes, intervalMs: 500, what: "the end of all clusters" });
    expect(await machines()).toEqual([]);
    const namespaces = await platform.kubectl.run(
      "get",
      "namespaces",
      "-l",
      "butler.butlerlabs.dev/tenant",
      "-o",
      "name",
    );
    expect(namespaces).toBe("");
    const used = await platform.kubectl.run("get", "datastore", "default", "-o", "jsonpath={.status.usedBy}");
    expect(["", "[]"]).toContain(used);
  });
});
