import { TenantCluster } from "@butler/api";
import { describe, expect, it } from "vitest";
import type { ClusterView } from "../../../parts/cluster-facts.ts";
import { aTeam } from "../../../testing/a-team.ts";
import { moveTargets, scaling, upgrading, whatGoes } from "./decisions.ts";
import { isUpgrading, versionChoices } from "./versions.ts";

const cluster = (spec: object = {}, parts: object = {}): ClusterView => ({
  apiVersion: TenantCluster.apiVersion,
  kind: TenantCluster.kind,
  metadata: { name: "shop", namespace: "payments", ...parts },
  spec: TenantCluster.spec.parse({ kubernetesVersion: "v1.34.1", ...spec }),
});
const versionRefusal = (view: ClusterView, team: Parameters<typeof upgrading>[1], version: string) =>
  upgrading(view, team, version).refusal;
const dev = { labels: { "butler.butlerlabs.dev/environment": "dev" } };

describe("versions", () => {
  it.each([
    ["v1.34.2", undefined],
    ["v1.35.0", undefined],
    ["v1.36.0", /upgrade to v1\.35 first/],
    ["v1.33.9", /cannot be downgraded/],
    ["1.x", /full version/],
  ])("to %s", (version, reason) => {
    const refusal = versionRefusal(cluster(), aTeam(), version);
    if (reason === undefined) expect(refusal).toBeUndefined();
    else expect(refusal).toMatch(reason);
  });

  it("are not requested if set already", () => {
    expect(upgrading(cluster(), aTeam(), "v1.34.1")).toEqual({ refusal: undefined, request: undefined });
    expect(upgrading(cluster(), aTeam(), "v1.34.2").request).toEqual({
      params: { namespace: "payments", name: "shop" },
      body: { version: "v1.34.2" },
    });
  });

  it("are rejected if the team may not use them", () => {
    const team = aTeam({ resourceLimits: { defaultNodeCount: 3, allowedKubernetesVersions: ["v1.35.0"] } });
    expect(versionRefusal(cluster(), team, "v1.34.2")).toMatch(/not allowed for the team; choose one of v1\.35\.0$/);
  });

  it("are also checked against the running version", () => {
    const behind = {
      ...cluster({ kubernetesVersion: "v1.35.0" }),
      status: { observedState: { kubernetesVersion: "v1.34.1" } },
    };
    expect(versionRefusal(behind, aTeam(), "v1.36.0")).toMatch(/upgrade to v1\.35 first/);
    expect([isUpgrading(behind), isUpgrading(cluster())]).toEqual([true, false]);
  });

  it("are collected from all sources, newest first, without duplicates", () => {
    const team = aTeam({ clusterDefaults: { kubernetesVersion: "v1.34.1" } });
    const others = [
      cluster({ kubernetesVersion: "v1.35.2" }),
      cluster({ kubernetesVersion: "v1.35.10" }),
      cluster({ kubernetesVersion: "v1.35.2" }),
    ];
    const choices = versionChoices(cluster(), team, others);
    expect(choices.slice(-2).map(({ version }) => version)).toEqual(["v1.35.10", "v1.35.2"]);
    expect(choices[0]?.refusal).toMatch(/upgrade to v1\.\d+ first/);
  });
});

it.each([
  ["3", undefined],
  ["0", /at least 1/],
  ["-1", /whole number/],
  ["1.5", /whole number/],
  ["", /whole number/],
  ["1e3", /whole number/],
  ["10001", /whole number/],
])("scales the main pool to %j", (text, reason) => {
  const { refusal } = scaling(cluster({ workers: { replicas: 2 } }), "workers", text);
  if (reason === undefined) expect(refusal).toBeUndefined();
  else expect(refusal).toMatch(reason);
});

it("offers environments that are not full", () => {
  const environments = [
    { name: "dev", clusterCount: 1, limits: { maxClusters: 1 } },
    { name: "prod", clusterCount: 2, limits: { maxClusters: 2 } },
  ];
  const targets = moveTargets(cluster({}, dev), aTeam({ environments }));
  expect(targets.map(({ value, refusal }) => [value, refusal === undefined])).toEqual([
    ["", true],
    ["dev", true],
    ["prod", false],
  ]);
  expect(moveTargets(cluster({}, dev), aTeam()).map(({ value }) => value)).toEqual(["", "dev"]);
});

it("lists what is deleted with a cluster", () => {
  const spec = { workers: { replicas: 2 }, workerPools: [{ name: "gpu", replicas: 1 }] };
  const rows = Object.fromEntries(whatGoes(cluster(spec), [{ name: "cnpg" }]));
  expect(rows["Worker nodes"]).toBe("3 (2 in workers, 1 in gpu), including their disks");
  expect(rows["Add-ons"]).toBe("1: cnpg");
});
