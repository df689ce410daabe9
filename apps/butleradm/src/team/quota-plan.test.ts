import { Team, TenantCluster } from "@butler/api";
import { newObject } from "@butler/administration";
import { parseObject } from "@butler/resource";
import { describe, expect, it } from "vitest";
import { changesLimits, planLimits, quotaReport } from "./quota-plan.ts";
import { membersOf } from "./team-view.ts";

const aTeam = (spec: object) => parseObject(Team, newObject(Team, { name: "payments" }, { spec }));

describe("planLimits", () => {
  it.each([
    ["a number", { limits: { clusters: 3 }, unlimited: [] }, { maxClusters: 3 }],
    [
      "a quantity, removing the deprecated field",
      { limits: { cpu: "8" }, unlimited: [] },
      { maxCPUCores: "8", maxTotalCPU: null },
    ],
    ["no limit", { limits: {}, unlimited: ["memory"] }, { maxMemory: null, maxTotalMemory: null }],
    ["no limit rather than one", { limits: { nodes: 3 }, unlimited: ["nodes"] }, { maxTotalNodes: null }],
    ["nothing", { limits: { clusters: undefined }, unlimited: [] }, {}],
  ] as const)("writes %s", (_what, wanted, resourceLimits) => {
    expect(planLimits(wanted)).toEqual({ spec: { resourceLimits } });
    expect(changesLimits(wanted)).toBe(Object.keys(resourceLimits).length > 0);
  });
});

it("compares usage with limits", () => {
  const spec = { workers: { replicas: 2, machineTemplate: { cpu: 4, memory: "8Gi", diskSize: "50Gi" } } };
  const cluster = parseObject(TenantCluster, newObject(TenantCluster, { name: "a", namespace: "payments" }, { spec }));
  const report = quotaReport(aTeam({ resourceLimits: { maxMemory: "8Gi", maxClusters: 4 } }), {
    clusters: [cluster],
    config: undefined,
  });
  expect(report).toMatchObject({ status: "Exceeded", message: "limits exceeded: memory" });
  expect(report.rows).toContainEqual({ name: "clusters", used: "1", limit: "4", percent: 25 });
  expect(report.rows).toContainEqual({ name: "storage", used: "100Gi", limit: "no limit", percent: undefined });
});

it("lists all members with role and scope", () => {
  const access = {
    users: [{ name: "a", role: "member" }],
    groups: [{ name: "g", role: "viewer", identityProvider: "x" }],
  };
  const team = aTeam({ access, environments: [{ name: "dev", access: { users: [{ name: "b", role: "admin" }] } }] });
  expect(membersOf(team)).toEqual([
    { who: "a", role: "operator", where: "team" },
    { who: "group g of x", role: "viewer", where: "team" },
    { who: "b", role: "admin", where: "environment dev" },
  ]);
});
