import { TenantCluster } from "@butler/api";
import type { BriefCluster } from "@butler/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clusterTone, type ClusterView, clusterWord, workersOf } from "../../parts/cluster-facts.ts";
import { clustersSearch } from "./search.ts";
import { phaseCounts, selectClusters } from "./select.ts";

function cluster(name: string, { env = "dev", status = {}, paused = false } = {}): ClusterView {
  const labels = { "butler.butlerlabs.dev/environment": env };
  const made = { ...structuredClone(TenantCluster.example), status } as unknown as ClusterView;
  return { ...made, metadata: { name, namespace: "payments", labels }, spec: { ...made.spec, paused } };
}

const ready = { phase: "Ready", conditions: [{ type: "Ready", status: "True" }] };
const unwell = { phase: "Ready", conditions: [{ type: "Ready", status: "False" }] };
const clusters = [
  cluster("shop", { status: ready }),
  cluster("ledger", { env: "prod", status: unwell }),
  cluster("lab", { status: { phase: "Failed" } }),
  cluster("new"),
];
const names = (some: readonly BriefCluster[]): string[] => some.map(({ metadata }) => metadata.name);

describe("selectClusters", () => {
  it.each([
    [{}, ["shop", "ledger", "lab", "new"]],
    [{ q: "SHOP" }, ["shop"]],
    [{ q: "payments prod" }, ["ledger"]],
    [{ env: "dev", phase: "Failed" }, ["lab"]],
    [{ phase: "Pending" }, ["new"]],
    [{ q: "degraded" }, ["ledger"]],
    [{ q: "nothing" }, []],
  ])("%o", (selection, wanted) => {
    expect(names(selectClusters(clusters, selection))).toEqual(wanted);
  });

  it("returns a subset, and counts every cluster once", () => {
    fc.assert(
      fc.property(fc.string(), (q) => {
        expect(clusters).toEqual(expect.arrayContaining(selectClusters(clusters, { q })));
      }),
    );
    expect(phaseCounts(clusters)).toEqual([
      ["Failed", 1],
      ["Pending", 1],
      ["Ready", 2],
    ]);
  });
});

describe("cluster state", () => {
  it.each([
    [clusters[0], "ready", "Ready"],
    [clusters[1], "attention", "Degraded"],
    [clusters[2], "failed", "Failed"],
    [clusters[3], "working", "Pending"],
    [cluster("still", { status: ready, paused: true }), "asleep", "Paused"],
  ] as const)("case %#", (some, tone, word) => {
    if (some === undefined) throw new Error("the case has no cluster");
    expect(clusterTone(some)).toBe(tone);
    expect(clusterWord(some)).toBe(word);
  });

  it("counts desired workers from the spec until the status reports them", () => {
    expect(workersOf(cluster("a"))).toEqual({ ready: 0, wanted: 3 });
    const status = { workerNodesReady: 2, workerNodesDesired: 5 };
    expect(workersOf(cluster("a", { status }))).toEqual({ ready: 2, wanted: 5 });
  });
});

describe("search parameters", () => {
  it("parses known parameters and drops the rest", () => {
    expect(clustersSearch({ q: "a", phase: "Ready", sort: "-name", other: 1 })).toEqual({
      q: "a",
      phase: "Ready",
      sort: "-name",
    });
    expect(clustersSearch({ q: ["a"], phase: {}, sort: null })).toEqual({});
  });
});
