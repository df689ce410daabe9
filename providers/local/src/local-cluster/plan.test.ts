import type { LocalCluster } from "@butler/api";
import type { Plan } from "@butler/controller";
import { findCondition, mergeConditions } from "@butler/resource";
import { type PlanTrial, settleDeletion, settleToFixedPoint } from "@butler/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aCluster, aLocalCluster } from "../testing/objects.ts";
import { endpointToAsk, type LocalClusterEffect, type Observed, plan } from "./plan.ts";

const now = new Date("2026-01-01T00:00:00Z");
const endpoint = { host: "10.0.0.1", port: 6443 };
const withEndpoint = aCluster({ spec: { controlPlaneEndpoint: endpoint } });
const provisioned = { initialization: { provisioned: true } };
const deletionTimestamp = "2026-01-01T00:00:00Z";

function observedWith(change: Partial<Observed> = {}): Observed {
  return {
    localCluster: aLocalCluster(),
    cluster: withEndpoint,
    hasKubeconfig: true,
    answer: { isReady: true },
    machines: [],
    ...change,
  };
}

const conditionsOf = (conditions: Plan["conditions"]) =>
  mergeConditions({ current: undefined, stated: conditions ?? [], generation: undefined, now });

const ready = (decided: Plan<LocalClusterEffect>) => findCondition(conditionsOf(decided.conditions), "Ready");

describe("the plan for a cluster", () => {
  it.each<[string, Partial<Observed>, string, number | undefined]>([
    ["its Cluster", { cluster: undefined, answer: undefined }, "WaitingForCluster", undefined],
    ["an endpoint", { cluster: aCluster(), answer: undefined }, "WaitingForEndpoint", undefined],
    [
      "a whole endpoint",
      { cluster: aCluster({ spec: { controlPlaneEndpoint: { host: "", port: 0 } } }), answer: undefined },
      "WaitingForEndpoint",
      undefined,
    ],
    ["the control plane", { answer: { isReady: false, message: "refused" } }, "WaitingForControlPlane", 1_000],
  ])("waits for %s", (_what, change, reason, requeueAfterMs) => {
    const decided = plan(observedWith(change), now);
    expect(decided).toMatchObject({ finalizer: "hold", status: {} });
    expect(decided.status).toEqual({});
    expect(decided.requeueAfterMs).toBe(requeueAfterMs);
    expect(ready(decided)).toMatchObject({ status: "False", reason });
  });

  it.each<[string, Partial<Observed>]>([
    ["its control plane answers", {}],
    ["no kubeconfig of its control plane exists yet", { hasKubeconfig: false, answer: undefined }],
    [
      "it has an endpoint of its own",
      { cluster: aCluster(), localCluster: aLocalCluster({ spec: { controlPlaneEndpoint: endpoint } }) },
    ],
    [
      "it was so before, whatever has become of the rest",
      { localCluster: aLocalCluster({ status: provisioned }), cluster: undefined, answer: undefined },
    ],
  ])("is provisioned when %s", (_what, change) => {
    const decided = plan(observedWith(change), now);
    expect(decided.status).toMatchObject(provisioned);
    expect(ready(decided)?.status).toBe("True");
  });

  it.each<[string, Partial<Observed>]>([
    ["its Cluster is paused", { cluster: aCluster({ spec: { paused: true } }) }],
    ["it is paused itself", { localCluster: aLocalCluster({ annotations: { "cluster.x-k8s.io/paused": "yes" } }) }],
  ])("does nothing while %s", (_what, change) => {
    const observed = observedWith({ machines: ["a"], ...change });
    const { localCluster } = observed;
    const deleted = { ...localCluster, metadata: { ...localCluster.metadata, deletionTimestamp } };
    for (const each of [localCluster, deleted]) {
      const paused = [expect.objectContaining({ type: "Paused", status: "True" })];
      expect(plan({ ...observed, localCluster: each }, now)).toEqual({ finalizer: "none", conditions: paused });
    }
  });

  it("is deleted only after its machines, and names them", () => {
    const localCluster = aLocalCluster({ deletionTimestamp, status: provisioned });
    const machines = Array.from({ length: 12 }, (_value, at) => `m${at}`);
    const waiting = plan(observedWith({ localCluster, machines }), now);
    expect(waiting).toMatchObject({ finalizer: "hold", status: provisioned });
    const { message } = findCondition(conditionsOf(waiting.conditions), "Deleting") ?? {};
    expect(message).toMatch(/: m0, m1, .* m9 and 2 more$/);
    expect(plan(observedWith({ localCluster }), now)).toEqual({ finalizer: "release" });
  });
});

describe("the endpoint to probe", () => {
  it.each<[string, Partial<Observed>, unknown]>([
    ["the Cluster's", {}, endpoint],
    [
      "its own when the Cluster has none",
      { cluster: aCluster(), localCluster: aLocalCluster({ spec: { controlPlaneEndpoint: endpoint } }) },
      endpoint,
    ],
    ["none without a kubeconfig", { hasKubeconfig: false }, undefined],
    ["none without a Cluster", { cluster: undefined }, undefined],
    ["none once provisioned", { localCluster: aLocalCluster({ status: provisioned }) }, undefined],
    [
      "none when paused",
      { localCluster: aLocalCluster({ annotations: { "cluster.x-k8s.io/paused": "" } }) },
      undefined,
    ],
    ["none when being deleted", { localCluster: aLocalCluster({ deletionTimestamp }) }, undefined],
  ])("is %s", (_what, change, expected) => {
    expect(endpointToAsk(observedWith(change))).toEqual(expected);
  });
});

const anyObserved = fc
  .record({
    cluster: fc.constantFrom(undefined, aCluster(), withEndpoint, aCluster({ spec: { paused: true } })),
    hasKubeconfig: fc.boolean(),
    answer: fc.constantFrom<Observed["answer"]>(undefined, { isReady: true }, { isReady: false, message: "no" }),
    machines: fc.uniqueArray(fc.constantFrom("a", "b", "c")),
    status: fc.constantFrom<LocalCluster["status"]>(undefined, {}, provisioned),
  })
  .map(({ status, ...rest }) => observedWith({ ...rest, localCluster: aLocalCluster({ status }) }));

function trial(observed: Observed): PlanTrial<Observed, LocalClusterEffect> {
  return {
    plan,
    observed,
    now,
    settle: (before, { status, conditions }) => ({
      ...before,
      machines: before.machines.slice(1),
      localCluster: {
        ...before.localCluster,
        status: {
          ...(status ?? before.localCluster.status),
          ...(conditions === undefined ? {} : { conditions: conditionsOf(conditions) }),
        },
      },
    }),
  };
}

describe("every plan for a cluster", () => {
  it("reaches a fixed point, and never reverts what it has reported", () => {
    fc.assert(
      fc.property(anyObserved, (observed) => {
        const { observed: rest } = settleToFixedPoint(trial(observed));
        if (observed.localCluster.status?.initialization?.provisioned) {
          expect(rest.localCluster.status?.initialization?.provisioned).toBe(true);
        }
      }),
    );
  });

  it("completes when the cluster is deleted and its machines are deleted", () => {
    fc.assert(
      fc.property(anyObserved, (observed) => {
        const { localCluster } = observed;
        const deleted = { ...localCluster, metadata: { ...localCluster.metadata, deletionTimestamp } };
        const left = settleDeletion(trial({ ...observed, localCluster: deleted }));
        if (observed.cluster?.spec?.paused !== true) expect(left.machines).toEqual([]);
      }),
    );
  });
});
