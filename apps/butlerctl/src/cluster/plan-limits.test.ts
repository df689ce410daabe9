import { baselineAddons } from "@butler/addons";
import { type ButlerConfig, type ProviderConfig, Team } from "@butler/api";
import { parseObject } from "@butler/resource";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainPaint } from "@butler/cli-kit";
import { aCluster } from "@butler/why/testing";
import { assemblePlan, plannedObjects, plannedValues, renderPlan } from "./plan-cluster.ts";
import { type LimitFacts, planLimits } from "./plan-limits.ts";

const team = (resourceLimits: Record<string, unknown> | undefined): Team =>
  parseObject(Team, {
    apiVersion: Team.apiVersion,
    kind: "Team",
    metadata: { name: "payments" },
    spec: { resourceLimits, environments: [{ name: "dev", limits: { maxClusters: 2, maxClustersPerMember: 0 } }] },
  });
const dev = { "butler.butlerlabs.dev/environment": "dev" };
const nothing: LimitFacts = { team: undefined, config: undefined, provider: undefined, others: [] };

describe("planLimits", () => {
  it("adds up what the team has, and says what does not fit", () => {
    const others = [aCluster({ metadata: { name: "a", labels: dev } }), aCluster({ metadata: { name: "b" } })];
    const { rows, refusals } = planLimits(aCluster({ metadata: { labels: dev } }), {
      ...nothing,
      team: team({ maxClusters: 3, maxNodesPerCluster: 5, maxCPUCores: "20", maxMemory: "48Gi" }),
      others,
    });
    expect(rows.map((row) => [row.limit, row.used, row.asked, row.maximum, row.isExceeded])).toEqual([
      ["clusters of the team", "2", "1", "3", false],
      ["workers of one cluster", "0", "2", "5", false],
      ["workers of the team", "4", "2", undefined, false],
      ["CPU cores of the team", "16", "8", "20", true],
      ["memory of the team", "32Gi", "16Gi", "48Gi", false],
      ["disks of the team", "200Gi", "100Gi", undefined, false],
      ["clusters in environment dev", "1", "1", "2", false],
    ]);
    expect(refusals).toEqual([expect.stringContaining("maxCPUCores is 20, 16 in use, 8 more asked for")]);
  });

  it("takes the platform's limits for a team that has none, and 0 for nothing allowed", () => {
    const config = { spec: { defaultTeamLimits: { maxClusters: 1 } } } as unknown as ButlerConfig;
    const { rows } = planLimits(aCluster(), {
      ...nothing,
      team: team(undefined),
      config,
      others: [aCluster({ metadata: { name: "a" } })],
    });
    expect(rows[0]).toMatchObject({ maximum: "1", isExceeded: true });
    const none = planLimits(aCluster(), { ...nothing, team: team({ maxClusters: 0 }) });
    expect(none.rows[0]).toMatchObject({ maximum: "0", isExceeded: true });
  });

  it("counts only what is on the same provider against the provider's limits", () => {
    const provider = { spec: { limits: { maxNodesPerTeam: 3 } } } as unknown as ProviderConfig;
    const elsewhere = aCluster({ metadata: { name: "a" }, spec: { providerConfigRef: { name: "other" } } });
    const facts = { ...nothing, provider, others: [elsewhere] };
    expect(planLimits(aCluster(), facts).rows).toEqual([
      { limit: "the team's workers on butler-system/local", used: "0", asked: "2", maximum: "3", isExceeded: false },
    ]);
    const same = planLimits(aCluster(), { ...facts, others: [aCluster({ metadata: { name: "a" } })] });
    expect(same.rows[0]).toMatchObject({ used: "2", isExceeded: true });
  });

  it("shows nothing where nothing is limited", () => {
    expect(planLimits(aCluster(), nothing)).toEqual({ rows: [], refusals: [] });
  });

  it("refuses exactly when a row says that it is too much", () => {
    const limits = fc.record(
      { maxClusters: fc.nat(4), maxTotalNodes: fc.nat(12), maxCPUCores: fc.nat(40).map(String) },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(limits, fc.nat(3), (given, count) => {
        const others = Array.from({ length: count }, (_, at) => aCluster({ metadata: { name: `c${at}` } }));
        const { rows, refusals } = planLimits(aCluster(), { ...nothing, team: team(given), others });
        expect(rows.filter(({ isExceeded }) => isExceeded)).toHaveLength(refusals.length);
      }),
    );
  });
});

describe("assemblePlan", () => {
  const over = { rows: [], refusals: ["team payments: maxClusters is 1; free some"] };
  const tried = {
    key: { name: "blue", namespace: "payments" },
    cluster: aCluster(),
    limits: over,
    addons: [],
    notes: [],
  };

  it("tells each reason once, whoever gives it", () => {
    const plan = assemblePlan({
      ...tried,
      refusals: ["spec.workers: team payments: maxClusters is 1; free some", "no"],
    });
    expect(plan).toMatchObject({
      isAccepted: false,
      refusals: ["spec.workers: team payments: maxClusters is 1; free some", "no"],
    });
    expect(plan.notes).toEqual([expect.stringContaining("What you left open")]);
    expect(assemblePlan({ ...tried, refusals: ["no"] }).refusals).toEqual(["no", ...over.refusals]);
  });

  it("shows the add-ons that come with the cluster, in order, and why", () => {
    const cluster = aCluster();
    const addons = baselineAddons({ cluster, providerType: "nutanix", config: undefined, definitions: [] });
    const { objects } = assemblePlan({ ...tried, cluster, addons, refusals: [] });
    const shown = objects.filter(({ kind }) => kind === "TenantAddon");
    expect(shown.map(({ name }) => name.replace(`${cluster.metadata.name}-`, ""))).toEqual([
      "cilium",
      "metallb",
      "longhorn",
      "cert-manager",
      "traefik",
    ]);
    expect(shown[0]?.what).toBe("version as the catalogue has it; clusters on nutanix come with it");
  });

  it("leaves the last word to the API server", () => {
    const plan = assemblePlan({ ...tried, refusals: [] });
    expect(plan).toMatchObject({ isAccepted: true, refusals: [] });
    expect(plan.notes).toEqual([expect.stringContaining("Over a limit, although nothing refuses it now")]);
  });

  it("has nothing to show of what cannot even be read", () => {
    const plan = assemblePlan({ ...tried, cluster: undefined, limits: undefined, refusals: ["no"] });
    expect(plan).toMatchObject({ objects: [], values: [], limits: [], notes: [] });
  });
});

describe("renderPlan", () => {
  const cluster = aCluster({
    metadata: {
      annotations: { "butler.butlerlabs.dev/value-origins": '{"spec.workers.replicas":{"value":2,"from":"team"}}' },
    },
    spec: { workerPools: [{ name: "gpu", replicas: 1, machineTemplate: { cpu: 16 } }] },
  });

  it("shows what would be made, who decides what, and what it takes of the limits", () => {
    const { rows: limits } = planLimits(cluster, {
      ...nothing,
      team: team({ maxClusters: 1 }),
      others: [aCluster({ metadata: { name: "a" } })],
    });
    const plan = {
      name: "blue",
      namespace: "payments",
      isAccepted: false,
      refusals: ["team payments: maxClusters is 1"],
      objects: plannedObjects(cluster),
      values: plannedValues(cluster),
      limits,
      notes: ["You may not read ProviderConfig x, so limits from there are not shown."],
    };
    expect(renderPlan(plan, plainPaint).join("\n")).toBe(`payments/blue would be refused. Nothing was made.
  team payments: maxClusters is 1

Would be made:
  KIND                 NAME           WHAT
  TenantCluster        payments/blue  what you ask for
  Namespace            blue-<uid>     holds everything below
  Cluster              blue           pods 10.244.0.0/16, Services 10.96.0.0/12
  StewardControlPlane  blue           Kubernetes v1.36.3, 1 replica
  MachineDeployment    blue-workers   2 machines, each 4 CPU, 8Gi memory, 50Gi disk, rocky 9.5
  MachineDeployment    blue-gpu       1 machine, each 16 CPU, 8Gi memory, 50Gi disk, rocky 9.5

Values:
  FIELD                  VALUE  DECIDED BY
  spec.workers.replicas  2      team

Limits:
  LIMIT                  IN USE  THIS CLUSTER  ALLOWED   VERDICT
  clusters of the team   1       1             1         too much
  workers of the team    2       3             no limit  -
  CPU cores of the team  8       24            no limit  -
  memory of the team     16Gi    24Gi          no limit  -
  disks of the team      100Gi   150Gi         no limit  -

You may not read ProviderConfig x, so limits from there are not shown.`);
  });

  it("says so when all is accepted, and leaves out what there is nothing to say about", () => {
    const plan = {
      name: "blue",
      namespace: "payments",
      isAccepted: true,
      refusals: [],
      objects: [],
      values: [],
      limits: [],
      notes: [],
    };
    expect(renderPlan(plan, plainPaint)).toEqual(["payments/blue would be accepted. Nothing was made."]);
  });

  it.each(["", "{", "[]", '{"a":1}'])("reads nothing out of the annotation %j", (text) => {
    const odd = aCluster({ metadata: { annotations: { "butler.butlerlabs.dev/value-origins": text } } });
    expect(plannedValues(odd)).toEqual([]);
  });
});
