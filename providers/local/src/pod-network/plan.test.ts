import { describe, expect, it } from "vitest";
import { aCluster, aLocalCluster } from "../testing/objects.ts";
import { type NetworkFacts, planPodNetwork } from "./plan.ts";

const now = new Date("2026-01-01T00:10:00Z");
const endpoint = { host: "10.0.0.1", port: 6443 };

function facts(change: Partial<NetworkFacts> = {}): NetworkFacts {
  return {
    localCluster: aLocalCluster(),
    cluster: aCluster(),
    endpoint,
    hasKubeconfig: true,
    isProvisioned: true,
    ...change,
  };
}

/** A cluster in which the network was applied at a given time, as recorded by a plan. */
function installed(lastApplied: string) {
  const { status } = planPodNetwork(facts(), now);
  return aLocalCluster({ status: { podNetwork: { ...status, lastApplied } } });
}

describe("the plan for a pod network", () => {
  it("is applied with the Cluster's kubeconfig, and records digest and time", () => {
    const { effects, status, condition, requeueAfterMs } = planPodNetwork(facts(), now);
    expect(effects).toMatchObject([
      { type: "writeToTenant", kubeconfig: { name: "blue-kubeconfig", namespace: "default" } },
    ]);
    expect(effects[0]?.objects.map(({ kind }) => kind)).toEqual([
      "ServiceAccount",
      "ClusterRole",
      "ClusterRoleBinding",
      "DaemonSet",
    ]);
    expect(status).toEqual({ digest: expect.stringMatching(/^[0-9a-f]{16}$/), lastApplied: now.toISOString() });
    expect(condition).toMatchObject({ status: "True", reason: "Installed" });
    expect(requeueAfterMs).toBe(600_000);
  });

  it.each<[string, Partial<NetworkFacts>, string]>([
    ["the cluster is provisioned", { isProvisioned: false }, "WaitingForControlPlane"],
    ["there is a kubeconfig", { hasKubeconfig: false }, "WaitingForControlPlane"],
    ["there is a Cluster", { cluster: undefined }, "WaitingForControlPlane"],
    ["there is an endpoint", { endpoint: undefined }, "WaitingForControlPlane"],
    ["it is wanted", { localCluster: aLocalCluster({ spec: { podNetwork: "None" } }) }, "NotWanted"],
  ])("does nothing until %s", (_what, change, reason) => {
    expect(planPodNetwork(facts(change), now)).toMatchObject({ effects: [], condition: { status: "False", reason } });
  });

  it.each<[string, string, number, number | undefined]>([
    ["not again so soon", "2026-01-01T00:09:00Z", 0, 540_000],
    ["again after ten minutes", "2026-01-01T00:00:00Z", 1, 600_000],
    ["again when the clock was ahead", "2026-01-01T00:11:00Z", 1, 600_000],
  ])("is applied %s", (_what, lastApplied, count, requeueAfterMs) => {
    const decided = planPodNetwork(facts({ localCluster: installed(lastApplied) }), now);
    expect(decided.effects).toHaveLength(count);
    expect(decided.requeueAfterMs).toBe(requeueAfterMs);
    expect(decided.condition.status).toBe("True");
  });

  it("is applied again when the API server has moved", () => {
    const localCluster = installed("2026-01-01T00:09:00Z");
    expect(planPodNetwork(facts({ localCluster }), now).effects).toEqual([]);
    const moved = planPodNetwork(facts({ localCluster, endpoint: { host: "10.0.0.2", port: 6443 } }), now);
    expect(moved.effects).toHaveLength(1);
  });
});
