import { labels } from "@butler/api";
import { describe, expect, it } from "vitest";
import { aButlerConfig, aCluster, aTeam } from "../shared/testing/objects.ts";
import { quotaOf } from "./quota.ts";

const inEnvironment = (name: string, owner: string) =>
  aCluster({
    name,
    labels: { [labels.environment]: "dev" },
    annotations: { "butler.butlerlabs.dev/owner": owner },
  });

describe("quotaOf", () => {
  it("sums up the requests of a team's clusters", () => {
    const team = aTeam({
      spec: { resourceLimits: { maxClusters: 4, maxTotalNodes: 10, maxCPUCores: 32, maxMemory: "128Gi" } },
    });
    const foreign = aCluster({ name: "guest", spec: { teamRef: { name: "search" } } });
    const clusters = [aCluster(), aCluster({ name: "blog" }), foreign];
    expect(quotaOf({ team, config: undefined, clusters })).toMatchObject({
      clusterCount: 2,
      resourceUsage: {
        clusters: 2,
        totalNodes: 4,
        totalCPU: "16",
        totalMemory: "64Gi",
        totalStorage: "400Gi",
        clusterUtilization: 50,
        nodeUtilization: 40,
        cpuUtilization: 50,
        memoryUtilization: 50,
      },
      quotaStatus: "OK",
      conditions: [{ type: "QuotaExceeded", status: "False" }],
    });
  });

  it.each([
    ["the team's own limit", { resourceLimits: { maxClusters: 1 } }, undefined, "limits exceeded: clusters"],
    ["the platform's limit", {}, { defaultTeamLimits: { maxTotalCPU: "8" } }, "limits exceeded: cpu"],
    [
      "the limit for one cluster",
      { resourceLimits: { maxNodesPerCluster: 1 } },
      undefined,
      "clusters with more than 1 nodes: payments/blog, payments/shop",
    ],
    [
      "the limit of an environment",
      { environments: [{ name: "dev", limits: { maxClusters: 1 } }] },
      undefined,
      "clusters in environment dev: 2 of 1",
    ],
    [
      "the limit for one member",
      { environments: [{ name: "dev", limits: { maxClustersPerMember: 1 } }] },
      undefined,
      "clusters of ada@example.com in environment dev: 2 of 1",
    ],
  ])("reports that %s is exceeded", (_which, spec, platform, message) => {
    const clusters = [inEnvironment("shop", "ada@example.com"), inEnvironment("blog", "Ada@example.com")];
    const config = platform && aButlerConfig({ spec: platform });
    expect(quotaOf({ team: aTeam({ spec }), config, clusters })).toMatchObject({
      quotaStatus: "Exceeded",
      quotaMessage: message,
      conditions: [{ type: "QuotaExceeded", status: "True", message }],
    });
  });

  it("treats 0 in an environment as no limit", () => {
    const team = aTeam({
      spec: { environments: [{ name: "dev", limits: { maxClusters: 0, maxClustersPerMember: 0 } }] },
    });
    const quota = quotaOf({ team, config: undefined, clusters: [inEnvironment("shop", "ada@example.com")] });
    expect(quota.quotaStatus).toBe("OK");
  });
});
