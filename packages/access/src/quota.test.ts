import { describe, expect, it } from "vitest";
import { limitsOf } from "./limits.ts";
import { type Claim, judgeQuota, type QuotaInput } from "./quota.ts";
import { aCluster, aConfig, aTeam } from "./testing/objects.ts";
import { noUsage, type Usage, usageOf } from "./usage.ts";

const gi = 2n ** 30n;
const cluster = (nodes = 1): Usage => ({ ...noUsage, clusters: 1, nodes });
const some = (count: number, claim: Omit<Claim, "usage"> = {}): Claim[] =>
  Array.from({ length: count }, () => ({ usage: cluster(), ...claim }));
const rules = (input: Partial<QuotaInput>): string[] =>
  judgeQuota({ team: "payments", limits: {}, others: [], after: { usage: cluster() }, ...input }).map(
    ({ rule }) => rule,
  );

describe("usageOf", () => {
  it("counts a cluster without sizes with the platform's defaults", () => {
    expect(usageOf(aCluster(), undefined)).toEqual({
      clusters: 1,
      nodes: 3,
      cpuMilli: 12_000n,
      memoryBytes: 48n * gi,
      storageBytes: 300n * gi,
    });
  });

  it("counts every pool, with the main pool's sizes by default", () => {
    const workers = { replicas: 2, machineTemplate: { cpu: 2, memory: "4Gi", diskSize: "20Gi" } };
    const workerPools = [
      { name: "big", replicas: 3, machineTemplate: { cpu: 8 } },
      { name: "none", replicas: 0, machineTemplate: { cpu: 64 } },
      { name: "zero", replicas: 1, machineTemplate: { memory: 0, diskSize: "0" } },
    ];
    expect(usageOf(aCluster({ workers, workerPools }), undefined)).toEqual({
      clusters: 1,
      nodes: 6,
      cpuMilli: 30_000n,
      memoryBytes: 24n * gi,
      storageBytes: 120n * gi,
    });
  });

  it.each<[string, object, object | undefined, [bigint, bigint]]>([
    ["replicas without requests or defaults", { replicas: 3 }, undefined, [0n, 0n]],
    [
      "each replica",
      { replicas: 3, resources: { apiServer: { requests: { cpu: 64, memory: "1Gi" } } } },
      undefined,
      [192_000n, 3n * gi],
    ],
    [
      "the limit when it is larger",
      { resources: { apiServer: { requests: { cpu: "1" }, limits: { cpu: "2500m" } } } },
      undefined,
      [2_500n, 0n],
    ],
    [
      "every component",
      {
        resources: {
          apiServer: { requests: { cpu: 1 } },
          controllerManager: { limits: { cpu: 2 } },
          scheduler: { limits: { cpu: 4 } },
        },
      },
      undefined,
      [7_000n, 0n],
    ],
    [
      "the platform's setting",
      { replicas: 2 },
      { apiServer: { requests: { cpu: "250m", memory: "512Mi" } } },
      [500n, gi],
    ],
    [
      "the cluster's setting instead of the platform's",
      { resources: { apiServer: { requests: { cpu: 1 } } } },
      { apiServer: { requests: { cpu: 9, memory: "9Gi" } }, scheduler: { requests: { cpu: 2 } } },
      [3_000n, 0n],
    ],
  ])("counts of the control plane %s", (_what, controlPlane, defaultControlPlaneResources, [cpuMilli, memoryBytes]) => {
    const workers = { replicas: 1, machineTemplate: { cpu: 1, memory: "1Gi", diskSize: "1Gi" } };
    const config = aConfig({ defaultControlPlaneResources });
    expect(usageOf(aCluster({ workers, controlPlane }), config)).toEqual({
      clusters: 1,
      nodes: 1,
      cpuMilli: 1_000n + cpuMilli,
      memoryBytes: gi + memoryBytes,
      storageBytes: gi,
    });
  });

  it("rounds fractions of a byte up", () => {
    expect(
      usageOf(aCluster({ workers: { replicas: 1, machineTemplate: { memory: "100m" } } }), undefined).memoryBytes,
    ).toBe(1n);
  });
});

describe("limitsOf", () => {
  it("uses the team's own limits, in either spelling", () => {
    const resourceLimits = { maxClusters: 0, maxNodesPerCluster: 9, maxTotalNodes: 8, maxCPUCores: "1500m" };
    expect(limitsOf(aTeam({ resourceLimits: { ...resourceLimits, maxTotalMemory: "1Gi", maxStorage: 0 } }))).toEqual({
      clusters: 0,
      nodesPerCluster: 9,
      nodes: 8,
      cpuMilli: 1_500n,
      memoryBytes: gi,
      storageBytes: 0n,
    });
  });

  it("uses the platform's limits for a team without limits, and none of them otherwise", () => {
    const config = aConfig({ defaultTeamLimits: { maxClusters: 5, maxWorkersPerCluster: 4, maxTotalCPU: "64" } });
    expect(limitsOf(aTeam(), config)).toMatchObject({ clusters: 5, nodesPerCluster: 4, cpuMilli: 64_000n });
    expect(limitsOf(aTeam({ resourceLimits: { maxTotalNodes: 1 } }), config)).toMatchObject({
      clusters: undefined,
      nodes: 1,
      cpuMilli: undefined,
    });
    expect(Object.values(limitsOf(aTeam())).filter((limit) => limit !== undefined)).toEqual([]);
  });
});

describe("judgeQuota", () => {
  it.each<[string, Partial<QuotaInput>, string[]]>([
    ["no limits", { others: some(100) }, []],
    ["room for one more", { limits: { clusters: 3 }, others: some(2) }, []],
    ["no room", { limits: { clusters: 3 }, others: some(3) }, ["team.maxClusters"]],
    ["a limit of 0", { limits: { clusters: 0 } }, ["team.maxClusters"]],
    ["the last nodes", { limits: { nodes: 5 }, others: some(2), after: { usage: cluster(3) } }, []],
    [
      "one node too many",
      { limits: { nodes: 4 }, others: some(2), after: { usage: cluster(3) } },
      ["team.maxTotalNodes"],
    ],
    [
      "too large a cluster",
      { limits: { nodesPerCluster: 2 }, after: { usage: cluster(3) } },
      ["team.maxNodesPerCluster"],
    ],
    [
      "too much of everything",
      {
        limits: { cpuMilli: 999n, memoryBytes: 9n, storageBytes: 0n },
        after: { usage: { clusters: 1, nodes: 1, cpuMilli: 1_000n, memoryBytes: 10n, storageBytes: 1n } },
      },
      ["team.maxCPUCores", "team.maxMemory", "team.maxStorage"],
    ],
    [
      "a scale-up beyond",
      { limits: { nodes: 4 }, others: some(1), before: { usage: cluster(3) }, after: { usage: cluster(4) } },
      ["team.maxTotalNodes"],
    ],
    [
      "a scale-up to the limit",
      { limits: { nodes: 5 }, others: some(1), before: { usage: cluster(3) }, after: { usage: cluster(4) } },
      [],
    ],
    [
      "no growth although all is exceeded",
      {
        limits: { clusters: 0, nodes: 0, nodesPerCluster: 0 },
        others: some(9),
        before: { usage: cluster(3) },
        after: { usage: cluster(3) },
      },
      [],
    ],
    [
      "shrinking although all is exceeded",
      { limits: { nodes: 0, nodesPerCluster: 0 }, before: { usage: cluster(3) }, after: { usage: cluster(2) } },
      [],
    ],
    [
      "team, environment, owner and provider, in that order",
      {
        limits: { clusters: 1 },
        environmentLimits: { maxClusters: 1, maxClustersPerMember: 1 },
        providerLimits: { maxClustersPerTeam: 1, maxNodesPerTeam: 1 },
        others: some(1, { environment: "dev", owner: "ada@example.com", provider: "a/b" }),
        after: { usage: cluster(), environment: "dev", owner: "ADA@example.com", provider: "a/b" },
      },
      [
        "team.maxClusters",
        "environment.maxClusters",
        "environment.maxClustersPerMember",
        "provider.maxClustersPerTeam",
        "provider.maxNodesPerTeam",
      ],
    ],
    [
      "others elsewhere",
      {
        environmentLimits: { maxClusters: 1, maxClustersPerMember: 1 },
        providerLimits: { maxClustersPerTeam: 1 },
        others: some(5, { environment: "prod", owner: "ada@example.com", provider: "a/c" }),
        after: { usage: cluster(), environment: "dev", owner: "ada@example.com", provider: "a/b" },
      },
      [],
    ],
    [
      "another owner's clusters",
      {
        environmentLimits: { maxClustersPerMember: 1 },
        others: some(5, { environment: "dev", owner: "bob@example.com" }),
        after: { usage: cluster(), environment: "dev", owner: "ada@example.com" },
      },
      [],
    ],
    [
      "environment limits of 0",
      {
        environmentLimits: { maxClusters: 0, maxClustersPerMember: 0 },
        others: some(5, { environment: "dev", owner: "ada@example.com" }),
        after: { usage: cluster(), environment: "dev", owner: "ada@example.com" },
      },
      [],
    ],
    [
      "a move into a full environment",
      {
        environmentLimits: { maxClusters: 1 },
        others: some(1, { environment: "prod" }),
        before: { usage: cluster(), environment: "dev" },
        after: { usage: cluster(), environment: "prod" },
      },
      ["environment.maxClusters"],
    ],
    [
      "scaling in a full environment",
      {
        environmentLimits: { maxClusters: 1, maxClustersPerMember: 1 },
        others: some(3, { environment: "prod", owner: "ada@example.com" }),
        before: { usage: cluster(), environment: "prod", owner: "ada@example.com" },
        after: { usage: cluster(7), environment: "prod", owner: "ada@example.com" },
      },
      [],
    ],
    [
      "a cluster transferred to an owner at the limit",
      {
        environmentLimits: { maxClustersPerMember: 1 },
        others: some(1, { environment: "dev", owner: "ada@example.com" }),
        before: { usage: cluster(), environment: "dev", owner: "bob@example.com" },
        after: { usage: cluster(), environment: "dev", owner: "ada@example.com" },
      },
      ["environment.maxClustersPerMember"],
    ],
  ])("%s", (_what, input, expected) => {
    expect(rules(input)).toEqual(expected);
  });

  it.each<[string, [prod: number, dev: number, sandbox: number], string, string[]]>([
    ["8+7+2: new in dev", [8, 7, 2], "dev", []],
    ["9+9+2: prod", [9, 9, 2], "prod", ["team.maxClusters"]],
    ["9+9+2: dev", [9, 9, 2], "dev", ["team.maxClusters"]],
    ["9+9+2: sandbox", [9, 9, 2], "sandbox", ["team.maxClusters"]],
    ["10+4+3: prod", [10, 4, 3], "prod", ["environment.maxClusters"]],
    ["10+4+3: dev", [10, 4, 3], "dev", []],
    ["10+4+3: sandbox", [10, 4, 3], "sandbox", []],
  ])("the worked example %s", (_what, [prod, dev, sandbox], environment, expected) => {
    const others = [
      ...some(prod, { environment: "prod" }),
      ...some(dev, { environment: "dev" }),
      ...some(sandbox, { environment: "sandbox" }),
    ];
    const caps: Record<string, number> = { prod: 10, dev: 15 };
    const environmentLimits = { maxClusters: caps[environment] };
    const after = { usage: cluster(), environment };
    expect(rules({ limits: { clusters: 20 }, environmentLimits, others, after })).toEqual(expected);
  });

  it("reports the rule, the limit, the usage and the requested amount", () => {
    const usage = { ...cluster(), memoryBytes: 32n * gi, cpuMilli: 2_500n };
    const limits = { memoryBytes: 64n * gi, cpuMilli: 4_000n };
    const others = [{ usage: { ...usage, memoryBytes: 48n * gi } }];
    expect(judgeQuota({ team: "payments", limits, others, after: { usage } })).toEqual([
      {
        rule: "team.maxCPUCores",
        limit: "4",
        used: "2500m",
        asked: "2500m",
        message:
          "team payments: maxCPUCores is 4, 2500m in use, 2500m more requested; reduce usage or request a higher limit",
      },
      {
        rule: "team.maxMemory",
        limit: "64Gi",
        used: "48Gi",
        asked: "32Gi",
        message:
          "team payments: maxMemory is 64Gi, 48Gi in use, 32Gi more requested; reduce usage or request a higher limit",
      },
    ]);
  });
});
