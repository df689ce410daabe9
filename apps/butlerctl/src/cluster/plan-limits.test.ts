import { baselineAddons } from "@butler/addons";
import { type ButlerConfig, type ProviderConfig, Team } from "@butler/api";
import { parseObject } from "@butler/resource";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainPaint } from "@butler/cli-kit";
import { aCluster } from "@butler/diagnosis/testing";
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
  it("sums the usage of the team, and reports exceeded limits", () => {
    const others = [aCluster({ metadata: { name: "a", labels: dev } }), aCluster({ metadata: { name: "b" } })];
    const { rows, refusals } = planLimits(aCluster({ metadata: { labels: dev } }), {
      ...nothing,
      team: team({ maxClusters: 3, maxNodesPerCluster: 5, maxCPUCores: "20", maxMemory: "48Gi" }),
      others,
    });
    expect(rows.map((row) => [row.limit, row.used, row.asked, row.maximum, row.isExceeded])).toEqual([
      ["team clusters", "2", "1", "3", false],
      ["workers per cluster", "0", "2", "5", false],
      ["team workers", "4", "2", undefined, false],
      ["team CPU cores", "16", "8", "20", true],
      ["team memory", "32Gi", "16Gi", "48Gi", false],
      ["team disk space", "200Gi", "100Gi", undefined, false],
      ["clusters in environment dev", "1", "1", "2", false],
    ]);
    expect(refusals).toEqual([expect.stringContaining("maxCPUCores is 20, 16 in use, 8 more requested")]);
  });

  it("uses the platform limits for a team without its own, and treats 0 as nothing allowed", () => {
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

  it("counts only clusters on the same provider against its limits", () => {
    const provider = { spec: { limits: { maxNodesPerTeam: 3 } } } as unknown as ProviderConfig;
    const elsewhere = aCluster({ metadata: { name: "a" }, spec: { providerConfigRef: { name: "other" } } });
    const facts = { ...nothing, provider, others: [elsewhere] };
    expect(planLimits(aCluster(), facts).rows).toEqual([
      { limit: "the team's workers on butler-system/local", used: "0", asked: "2", maximum: "3", isExceeded: false },
    ]);
    const same = planLimits(aCluster(), { ...facts, others: [aCluster({ metadata: { name: "a" } })] });
    expect(same.rows[0]).toMatchObject({ used: "2", isExceeded: true });
  });

  it("shows nothing without limits", () => {
    expect(planLimits(aCluster(), nothing)).toEqual({ rows: [], refusals: [] });
  });

  it("refuses exactly when a row is exceeded", () => {
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

  it("lists each reason once, whatever its source", () => {
    const plan = assemblePlan({
      ...tried,
      refusals: ["spec.workers: team payments: maxClusters is 1; free some", "no"],
    });
    expect(plan).toMatchObject({
      isAccepted: false,
      refusals: ["spec.workers: team payments: maxClusters is 1; free some", "no"],
    });
    expect(plan.notes).toEqual([expect.stringContaining("Values you did not set")]);
    expect(assemblePlan({ ...tried, refusals: ["no"] }).refusals).toEqual(["no", ...over.refusals]);
  });

  it("shows the baseline add-ons in order, with the reason", () => {
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
    expect(shown[0]?.what).toBe("catalog default version; clusters on nutanix include it by default");
  });

  it("lets the API server decide", () => {
    const plan = assemblePlan({ ...tried, refusals: [] });
    expect(plan).toMatchObject({ isAccepted: true, refusals: [] });
    expect(plan.notes).toEqual([
      expect.stringContaining("The API server would accept the cluster, but it exceeds a limit"),
    ]);
  });

  it("shows nothing for an invalid manifest", () => {
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

  it("shows the objects, the source of values, and the usage of limits", () => {
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
      notes: ["You don't have permission to read ProviderConfig x, so limits based on it are not shown."],
    };
    expect(renderPlan(plan, plainPaint).join("\n")).toBe(`payments/blue would be denied. Nothing was created.
  team payments: maxClusters is 1

Objects to create:
  KIND                 NAME           DETAILS
  TenantCluster        payments/blue  the requested cluster
  Namespace            blue-<uid>     contains all objects below
  Cluster              blue           pods 10.244.0.0/16, Services 10.96.0.0/12
  StewardControlPlane  blue           Kubernetes v1.36.3, 1 replica
  MachineDeployment    blue-workers   2 machines, each 4 CPU, 8Gi memory, 50Gi disk, rocky 9.5
  MachineDeployment    blue-gpu       1 machine, each 16 CPU, 8Gi memory, 50Gi disk, rocky 9.5

Values:
  FIELD                  VALUE  SET BY
  spec.workers.replicas  2      team

Limits:
  LIMIT            IN USE  THIS CLUSTER  ALLOWED   VERDICT
  team clusters    1       1             1         exceeded
  team workers     2       3             no limit  -
  team CPU cores   8       24            no limit  -
  team memory      16Gi    24Gi          no limit  -
  team disk space  100Gi   150Gi         no limit  -

You don't have permission to read ProviderConfig x, so limits based on it are not shown.`);
  });

  it("reports acceptance, and omits empty sections", () => {
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
    expect(renderPlan(plan, plainPaint)).toEqual(["payments/blue would be accepted. Nothing was created."]);
  });

  it.each(["", "{", "[]", '{"a":1}'])("ignores the annotation %j", (text) => {
    const odd = aCluster({ metadata: { annotations: { "butler.butlerlabs.dev/value-origins": text } } });
    expect(plannedValues(odd)).toEqual([]);
  });
});
