import { planUpgrade, scalePatch } from "@butler/changes";
import { describe, expect, it } from "vitest";
import { aCluster, aReadyCluster, now, secondsAgo } from "@butler/diagnosis/testing";
import { destructionSummary } from "./destroy.ts";
import { chooseNamesake } from "./find-cluster.ts";
import { judgeGone, judgeReady } from "./wait-for-cluster.ts";

describe("judgeReady", () => {
  const wanted = aCluster();
  it.each([
    [aReadyCluster(), "done"],
    [aReadyCluster({ metadata: { generation: 2 } }), "waiting"],
    [aReadyCluster({ status: { workerNodesReady: 1 } }), "waiting"],
    [aReadyCluster({ conditions: [] }), "waiting"],
    [aCluster(), "waiting"],
    [aCluster({ status: { phase: "Failed" } }), "failed"],
    [aReadyCluster({ metadata: { deletionTimestamp: secondsAgo(1) } }), "failed"],
    [aReadyCluster({ metadata: { uid: "another" } }), "failed"],
    [undefined, "failed"],
  ])("case %#", (seen, state) => {
    expect(judgeReady(seen, wanted).state).toBe(state);
  });
});

describe("judgeGone", () => {
  const leaving = { deletionTimestamp: secondsAgo(60) };
  it.each([
    [undefined, { state: "done" }],
    [aCluster({ metadata: { uid: "another" } }), { state: "done" }],
    [aCluster({ metadata: leaving }), { state: "waiting", for: "removing its resources" }],
    [
      aCluster({
        metadata: leaving,
        conditions: [
          "AddonsRemoved=True Done x",
          "NamespaceRemoved=False Waiting later",
          "WorkersRemoved=False Removing waiting for m1",
        ],
      }),
      { state: "waiting", for: "waiting for m1" },
    ],
    [aCluster(), { state: "failed" }],
  ])("case %#", (seen, verdict) => {
    expect(judgeGone(seen, aCluster())).toMatchObject(verdict);
  });
});

describe("planUpgrade", () => {
  const running = (version: string) => ({ observedState: { kubernetesVersion: version } });

  it("lists the steps", () => {
    const cluster = aCluster({ spec: { kubernetesVersion: "v1.35.2" }, status: running("v1.35.2") });
    expect(planUpgrade(cluster, "1.36.3")).toEqual({
      version: "v1.36.3",
      lines: [
        "Upgrade of blue from v1.35.2 to v1.36.3:",
        "  1. the control plane is upgraded; the API stays available",
        "  2. the 2 worker machines are replaced in a rolling update; pods are rescheduled",
        "A minor version upgrade cannot be rolled back.",
      ],
    });
  });

  it("does nothing when the version is set already", () => {
    expect(planUpgrade(aCluster(), "v1.36.3").version).toBeUndefined();
  });

  it.each([
    [
      "v1.34.0",
      "v1.34.0",
      "v1.36.3",
      "blue cannot be upgraded from v1.34.0 to v1.36.3 directly; upgrade to v1.35 first",
    ],
    ["v1.36.3", "v1.36.3", "v1.35.9", "blue cannot be downgraded from v1.36.3 to v1.35.9"],
    ["v1.35.0", "v1.34.0", "v1.36.0", "blue cannot be upgraded from v1.34.0 to v1.36.0 directly"],
    ["v1.36.3", "v1.36.3", "latest", "must be a full version"],
    ["v1.36.3", "v1.36.3", "v1.99.0", "v1.99.0 is not supported"],
  ])("asked for %s, running %s, to %s: refuses", (wanted, runs, to, message) => {
    const cluster = aCluster({ spec: { kubernetesVersion: wanted }, status: running(runs) });
    expect(() => planUpgrade(cluster, to)).toThrow(message);
  });
});

describe("small decisions", () => {
  it("changes one number of a pool, and only if it is still that pool", () => {
    const cluster = aCluster({
      spec: {
        workerPools: [
          { name: "arm", replicas: 1 },
          { name: "gpu", replicas: 1 },
        ],
      },
    });
    expect(scalePatch(cluster, { pool: "workers", workers: 4 })).toEqual({
      type: "merge",
      patch: { spec: { workers: { replicas: 4 } } },
    });
    expect(scalePatch(cluster, { pool: "gpu", workers: 0 }).patch).toEqual([
      { op: "test", path: "/spec/workerPools/1/name", value: "gpu" },
      { op: "replace", path: "/spec/workerPools/1/replicas", value: 0 },
    ]);
  });

  it("lists what is deleted with a cluster", () => {
    expect(destructionSummary(aReadyCluster(), now).slice(3)).toEqual([
      "  Team:        payments",
      "  Phase:       Ready",
      "  Kubernetes:  v1.36.3",
      "  Workers:     2/2 ready",
      "  Age:         5m",
    ]);
  });

  it("finds the only cluster with a name", () => {
    const [one, other] = [aCluster(), aCluster({ metadata: { namespace: "search" } })];
    expect(chooseNamesake([one], "blue")).toBe(one);
    expect(() => chooseNamesake([], "blue")).toThrow('cluster "blue" not found');
    expect(() => chooseNamesake([other, one], "blue")).toThrow("in namespaces payments, search");
  });
});
