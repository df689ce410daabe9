import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { eventually } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canHostEngine, EngineWithButler } from "./lib/engine-with-butler.ts";
import { TenantClusters } from "./lib/tenant-clusters.ts";

const minutes = 60_000;
const team = "demo-team";
const names = ["red", "green", "blue"];

let platform: EngineWithButler;
let clusters: TenantClusters;
let directory: string;

const machines = async (): Promise<string[]> =>
  (await platform.kubectl.run("get", "machines", "-A", "-o", "name")).split("\n").filter(Boolean);

describe.runIf(canHostEngine)(
  "three tenant clusters whose management API server crashes",
  { timeout: 8 * minutes },
  () => {
    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), "butler-tenants-"));
      platform = await EngineWithButler.prepare("tenants");
      await platform.start();
      clusters = new TenantClusters(platform.kubectl, { namespace: team, directory });
      const example = fileURLToPath(new URL("../../examples/platform.yaml", import.meta.url));
      await platform.kubectl.run("apply", "-f", example);
      await platform.kubectl.run("wait", `team/${team}`, "--for=condition=Ready", "--timeout=60s");
    }, 6 * minutes);

    afterAll(async () => {
      await platform?.remove();
      await rm(directory, { recursive: true, force: true });
    }, 3 * minutes);

    it("while they are made become ready all the same", async () => {
      const startedAt = performance.now();
      await Promise.all(names.map((name) => clusters.create(name)));
      await eventually(async () => (await machines()).length > 0, { timeoutMs: 2 * minutes });
      await platform.crashApiServer();
      const ready = await Promise.all(names.map((name) => clusters.settled(name)));
      console.log(`three ready after ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
      expect(ready.map(({ status }) => status?.workerNodesReady)).toEqual([1, 1, 1]);
      expect(new Set(ready.map(({ status }) => status?.controlPlaneEndpoint)).size).toBe(3);
    });

    it("while they grow get their nodes all the same", async () => {
      await Promise.all(names.map((name) => clusters.patch(name, { workers: { replicas: 2 } })));
      await platform.crashApiServer();
      const grown = await Promise.all(names.map((name) => clusters.settled(name)));
      expect(grown.map(({ status }) => status?.workerNodesReady)).toEqual([2, 2, 2]);
      expect(await machines()).toHaveLength(6);
    });

    it("while they are deleted go without a trace all the same", async () => {
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
  },
);
