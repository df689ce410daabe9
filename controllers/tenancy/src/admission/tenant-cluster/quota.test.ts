import { annotations, labels } from "@butler/api";
import { describe, expect, it } from "vitest";
import {
  aCluster,
  aConfig,
  aProvider,
  aTeam,
  clusterFacts,
  clusterInput,
  noCapacity,
  type Traits,
} from "../testing/objects.ts";
import type { TenantClusterInput } from "./input.ts";
import { claimOf, isGrowing, orphanDenials, quotaDenials, quotaRefusals } from "./quota.ts";

const size = (replicas: number, machineTemplate: Record<string, unknown> = {}): Traits => ({
  spec: { workers: { replicas, machineTemplate } },
});
const small = { replicas: 1, machineTemplate: { cpu: 1, memory: "1Gi" } };
/** A cluster with one small worker, and with resources of its API servers. */
const hosted = (replicas: number, cpu: string, memory = "1Mi"): Traits => ({
  spec: {
    workers: small,
    controlPlane: { replicas, resources: { apiServer: { requests: { cpu, memory } } } },
  },
});
const owned = (owner: string, environment = "dev"): Traits => ({
  metadata: {
    labels: { [labels.environment]: environment },
    annotations: { [annotations.creatorEmail]: owner, [annotations.owner]: owner },
  },
});
const limited = (resourceLimits: Record<string, unknown>) => ({ team: aTeam({ spec: { resourceLimits } }) });
const inDev = (limits: Record<string, unknown>) => ({
  team: aTeam({ spec: { environments: [{ name: "dev", limits }, { name: "prod" }] } }),
});

interface Situation {
  readonly facts?: Partial<TenantClusterInput["facts"]>;
  readonly others?: readonly Traits[];
  readonly before?: Traits;
  readonly after?: Traits;
}

function refusals({ facts = {}, others = [], before, after = {} }: Situation): string[] {
  const input = clusterInput({
    facts: clusterFacts(facts),
    cluster: aCluster(after),
    before: before && aCluster(before),
  });
  const claims = others.map((traits) => claimOf(aCluster(traits), input.facts));
  return quotaDenials(quotaRefusals(input, claims), input).map(({ path, message }) => `${path}: ${message}`);
}

describe("the quota for a cluster", () => {
  it.each<[string, Situation, ...string[]]>([
    ["enough", { facts: limited({ maxClusters: 2 }), others: [{}] }],
    [
      "none left",
      { facts: limited({ maxClusters: 1 }), others: [{}] },
      ": team payments: maxClusters is 1, 1 in use, 1 more requested",
    ],
    ["none ever", { facts: limited({ maxClusters: 0 }) }, "maxClusters is 0, 0 in use"],
    [
      "none left although no provider is named",
      { facts: limited({ maxClusters: 1 }), others: [{}], after: { spec: { providerConfigRef: undefined } } },
      "maxClusters",
    ],
    [
      "too many nodes",
      { facts: limited({ maxTotalNodes: 5 }), others: [{}] },
      "spec.workers: team payments: maxTotalNodes is 5, 3 in use, 3 more requested",
    ],
    [
      "too many nodes in pools",
      { facts: limited({ maxNodesPerCluster: 4 }), after: { spec: { workerPools: [{ name: "big", replicas: 2 }] } } },
      "maxNodesPerCluster is 4, 0 in use, 5 more requested",
    ],
    [
      "too many cores",
      { facts: limited({ maxCPUCores: "20" }), others: [{}] },
      "maxCPUCores is 20, 12 in use, 12 more requested",
    ],
    [
      "too many cores of the control plane",
      { facts: limited({ maxCPUCores: "4" }), after: hosted(3, "64") },
      "spec.controlPlane: team payments: maxCPUCores is 4, 0 in use, 193 more requested",
    ],
    [
      "too many replicas of the control plane",
      { facts: limited({ maxCPUCores: "4" }), before: hosted(1, "2"), after: hosted(3, "2") },
      "spec.controlPlane: team payments: maxCPUCores is 4, 3 in use, 4 more requested",
    ],
    [
      "too much memory of the control planes of others",
      { facts: limited({ maxMemory: "7Gi" }), others: [hosted(2, "1", "2Gi")], after: hosted(1, "1", "2Gi") },
      "spec.controlPlane: team payments: maxMemory is 7Gi, 5Gi in use, 3Gi more requested",
    ],
    [
      "replicas with the platform's setting",
      {
        facts: {
          ...limited({ maxCPUCores: "4" }),
          config: aConfig({ defaultControlPlaneResources: { apiServer: { requests: { cpu: 2 } } } }),
        },
        after: { spec: { workers: small, controlPlane: { replicas: 3 } } },
      },
      "maxCPUCores is 4, 0 in use, 7 more requested",
    ],
    ["too many cores, in the older spelling", { facts: limited({ maxTotalCPU: "20" }), others: [{}] }, "maxCPUCores"],
    [
      "too much memory",
      { facts: limited({ maxMemory: "95Gi" }), others: [{}] },
      "maxMemory is 95Gi, 48Gi in use, 48Gi more requested",
    ],
    ["just enough memory", { facts: limited({ maxMemory: "96Gi" }), others: [{}] }],
    [
      "too much storage",
      { facts: limited({ maxStorage: "500Gi" }), others: [{}] },
      "maxStorage is 500Gi, 300Gi in use, 300Gi more requested",
    ],
    [
      "cores of a scale-up",
      { facts: limited({ maxCPUCores: "20" }), before: size(3), after: size(6) },
      "maxCPUCores is 20, 12 in use, 12 more requested",
    ],
    [
      "memory of larger machines",
      { facts: limited({ maxMemory: "64Gi" }), before: size(3), after: size(3, { memory: "32Gi" }) },
      "maxMemory",
    ],
    [
      "a scale-up of a pool",
      {
        facts: limited({ maxTotalNodes: 3 }),
        before: {},
        after: { spec: { workerPools: [{ name: "big", replicas: 1 }] } },
      },
      "maxTotalNodes",
    ],
    [
      "a change that does not grow, beyond every limit",
      {
        facts: limited(noCapacity),
        before: size(3),
        after: size(3),
      },
    ],
    [
      "a change that shrinks, beyond every limit",
      { facts: limited({ maxTotalNodes: 0, maxNodesPerCluster: 0 }), before: size(3), after: size(2) },
    ],
    [
      "the platform's limits for a team without any",
      { facts: { config: aConfig({ defaultTeamLimits: { maxClusters: 1 } }) }, others: [{}] },
      "maxClusters is 1",
    ],
    [
      "the platform's limit of workers",
      { facts: { config: aConfig({ defaultTeamLimits: { maxWorkersPerCluster: 2 } }) } },
      "maxNodesPerCluster is 2",
    ],
    [
      "the team's own instead of the platform's",
      {
        facts: { config: aConfig({ defaultTeamLimits: { maxClusters: 1 } }), ...limited({ maxClusters: 9 }) },
        others: [{}],
      },
    ],
    [
      "a full environment",
      { facts: inDev({ maxClusters: 1 }), others: [{}] },
      ": environment dev of team payments: maxClusters is 1, 1 in use, 1 more requested",
    ],
    [
      "another environment that is full",
      { facts: inDev({ maxClusters: 1 }), others: [{}], after: owned("ada@example.com", "prod") },
    ],
    [
      "a member with enough",
      { facts: inDev({ maxClustersPerMember: 1 }), others: [owned("ADA@example.com")] },
      ": ada@example.com in environment dev of team payments: maxClustersPerMember is 1",
    ],
    [
      "a member beside one with enough",
      { facts: inDev({ maxClustersPerMember: 1 }), others: [owned("bob@example.com")] },
    ],
    [
      "a move into a full environment",
      { facts: inDev({ maxClusters: 1 }), others: [{}], before: owned("ada@example.com", "prod"), after: {} },
      "environment dev of team payments: maxClusters",
    ],
    [
      "a move of a member with enough there",
      { facts: inDev({ maxClustersPerMember: 1 }), others: [{}], before: owned("ada@example.com", "prod"), after: {} },
      "maxClustersPerMember",
    ],
    [
      "a cluster handed to a member with enough",
      { facts: inDev({ maxClustersPerMember: 1 }), others: [{}], before: owned("bob@example.com"), after: {} },
      "maxClustersPerMember",
    ],
    [
      "team before environment",
      {
        facts: {
          team: aTeam({
            spec: { resourceLimits: { maxClusters: 1 }, environments: [{ name: "dev", limits: { maxClusters: 1 } }] },
          }),
        },
        others: [{}],
      },
      "team payments",
      "environment dev",
    ],
    [
      "a provider with too many clusters",
      { facts: { provider: aProvider({ spec: { limits: { maxClustersPerTeam: 1 } } }) }, others: [{}] },
      "team payments on ProviderConfig butler-system/harvester: maxClustersPerTeam is 1",
    ],
    [
      "a provider with too many nodes",
      { facts: { provider: aProvider({ spec: { limits: { maxNodesPerTeam: 4 } } }) }, others: [{}] },
      "maxNodesPerTeam is 4, 3 in use, 3 more requested",
    ],
    [
      "clusters on another provider",
      {
        facts: { provider: aProvider({ spec: { limits: { maxClustersPerTeam: 1 } } }) },
        others: [{ spec: { providerConfigRef: { name: "nutanix" } } }],
      },
    ],
    [
      "a scale-up on a provider",
      { facts: { provider: aProvider({ spec: { limits: { maxNodesPerTeam: 4 } } }) }, before: size(3), after: size(5) },
      "maxNodesPerTeam is 4, 3 in use, 2 more requested",
    ],
  ])("%s", (_what, situation, ...expected) => {
    const found = refusals(situation);
    expect(found).toHaveLength(expected.length);
    for (const [at, text] of expected.entries()) expect(found[at]).toContain(text);
  });
});

describe("changes that affect quota", () => {
  it.each<[string, Traits | undefined, Traits, boolean]>([
    ["a new cluster", undefined, {}, true],
    ["no change", {}, {}, false],
    ["a label", {}, { metadata: { labels: { a: "b" } } }, false],
    ["a pause", {}, { spec: { paused: true } }, false],
    ["another version", {}, { spec: { kubernetesVersion: "v1.36.3" } }, false],
    ["fewer nodes", size(3), size(2), false],
    ["more nodes", size(3), size(4), true],
    ["larger machines", size(3), size(3, { cpu: 5 }), true],
    ["fewer, larger machines", size(4, { cpu: 1 }), size(2, { cpu: 4 }), true],
    ["another environment", owned("ada@example.com", "prod"), {}, true],
    ["another owner", owned("bob@example.com"), {}, true],
  ])("%s", (_what, before, after, expected) => {
    const input = clusterInput({ cluster: aCluster(after), before: before && aCluster(before) });
    expect(isGrowing(input)).toBe(expected);
  });

  it("rejects growth of a cluster whose team was deleted", () => {
    expect(orphanDenials(clusterInput({ facts: clusterFacts({ team: undefined }) }))).toHaveLength(1);
    expect(orphanDenials(clusterInput())).toEqual([]);
  });
});
