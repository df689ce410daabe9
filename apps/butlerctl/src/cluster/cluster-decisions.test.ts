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

describe("small decisions", () => {
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
