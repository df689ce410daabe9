import { earlierKubernetesImages } from "@butler/engine";
import { eventually } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canHostEngine, EngineWithButler } from "./lib/engine-with-butler.ts";
import type { KubectlCalls } from "./lib/kubectl-calls.ts";
import { AnsweringService } from "./lib/answering-service.ts";
import type { TenantClusters } from "./lib/tenant-clusters.ts";

const minutes = 60_000;
const [from, to] = ["v1.35.4", "v1.36.3"];
const team = "demo-team";

let platform: EngineWithButler;
let clusters: TenantClusters;

const versionsOf = async (inside: KubectlCalls): Promise<string[]> =>
  (await inside.run("get", "nodes", "-o", "jsonpath={.items[*].status.nodeInfo.kubeletVersion}")).split(" ");

describe.runIf(canHostEngine)("a tenant cluster of the previous version", { timeout: 8 * minutes }, () => {
  beforeAll(async () => {
    platform = await EngineWithButler.shared("upgrades");
    await platform.engine.addImages(await earlierKubernetesImages());
    clusters = await platform.exampleTeam();
  }, 6 * minutes);

  afterAll(() => platform?.leave(), 3 * minutes);

  it("becomes ready with nodes of that version", async () => {
    await platform.kubectl.apply([
      {
        apiVersion: "butler.butlerlabs.dev/v1alpha1",
        kind: "TenantCluster",
        metadata: { name: "old", namespace: team },
        spec: {
          kubernetesVersion: from,
          teamRef: { name: team },
          controlPlane: { replicas: 2 },
          workers: { replicas: 2, machineTemplate: { cpu: 1, memory: "2Gi" } },
        },
      },
    ]);
    await clusters.settled("old");
    expect(await versionsOf(await clusters.inside("old"))).toEqual([from, from]);
  });

  it("is upgraded, control plane first, workers one by one, while a Service stays available", async () => {
    const inside = await clusters.inside("old");
    const service = await AnsweringService.start(inside);
    const versions: string[] = [];
    const isUnfit = (nodes: readonly string[], served: string): boolean => nodes.includes(to) && served !== to;
    const watching = eventually(
      async () => {
        const { status } = await clusters.get("old");
        const served = status?.observedState?.kubernetesVersion ?? "";
        const nodes = await versionsOf(inside);
        versions.push(`${served}: ${nodes.toSorted().join(", ")}`);
        if (isUnfit(nodes, served)) throw new Error(`workers ran ahead: ${versions.at(-1)}`);
        return served === to && nodes.length === 2 && nodes.every((version) => version === to);
      },
      {
        timeoutMs: 5 * minutes,
        intervalMs: 500,
        what: () => `the end of the upgrade; ${versions.slice(-3).join("; ")}`,
      },
    );
    await clusters.patch("old", { kubernetesVersion: to });
    await eventually(async () => (await versionsOf(inside)).includes(to), { timeoutMs: 2 * minutes, intervalMs: 250 });
    // During the upgrade, the API server of the management cluster crashes.
    await platform.crashApiServer();
    await watching;
    await clusters.settled("old");
    const { answered, failed } = await service.stop();
    console.log(`upgrade: ${answered} answers, ${failed.length} failed; ${[...new Set(versions)].join(" | ")}`);
    expect(failed).toEqual([]);
    expect(answered).toBeGreaterThan(100);
  });

  it("rejects skipping a version, and a downgrade", async () => {
    const refused = (version: string): Promise<unknown> => clusters.change("old", { kubernetesVersion: version });
    await expect(refused("v1.35.4")).rejects.toThrow(/cannot be downgraded/);
    await expect(refused("v1.38.0")).rejects.toThrow(/not supported|cannot go/);
  });
});
