import type { DynamicObject } from "@butler/resource";
import { describe } from "vitest";
import { condition, make, seen, table } from "./testing/verdicts.ts";

describe("a Deployment", () => {
  const deployment = (status: object, spec: object = { replicas: 3 }): DynamicObject =>
    make("apps/v1/Deployment", { spec, status: { ...seen, ...status } });
  table([
    ["without a status", make("apps/v1/Deployment", { spec: {} }), "progressing", /latest spec not observed/],
    [
      "not looked at",
      deployment({ observedGeneration: 1, updatedReplicas: 3 }),
      "progressing",
      /latest spec not observed/,
    ],
    ["not updated", deployment({ replicas: 3, updatedReplicas: 1 }), "progressing", "1 of 3 replicas are updated"],
    [
      "with older pods",
      deployment({ replicas: 4, updatedReplicas: 3 }),
      "progressing",
      "1 old replicas are pending termination",
    ],
    [
      "not available",
      deployment({ replicas: 3, updatedReplicas: 3, availableReplicas: 2 }),
      "progressing",
      "2 of 3 replicas are available",
    ],
    ["available", deployment({ replicas: 3, updatedReplicas: 3, availableReplicas: 3 }), "ready", "3 of 3"],
    [
      "of the default size",
      deployment({ replicas: 1, updatedReplicas: 1, availableReplicas: 1 }, {}),
      "ready",
      "1 of 1",
    ],
    ["of none", deployment({}, { replicas: 0 }), "ready", "0 of 0"],
    [
      "that shrinks",
      deployment({ replicas: 5, updatedReplicas: 5, availableReplicas: 5 }),
      "progressing",
      "2 surplus replicas are pending termination",
    ],
    [
      "out of time",
      deployment({
        conditions: [condition("Progressing", "False", { reason: "ProgressDeadlineExceeded", message: "timed out." })],
      }),
      "failed",
      /exceeded its progress deadline: timed out$/,
    ],
    [
      "whose pods are refused",
      deployment({ conditions: [condition("ReplicaFailure", "True", { message: "exceeded quota" })] }),
      "progressing",
      "0 of 3 replicas are updated; pods cannot be created: exceeded quota",
    ],
    ["paused and available", deployment({ availableReplicas: 3 }, { replicas: 3, paused: true }), "ready", "paused"],
    ["paused and not", deployment({ availableReplicas: 2 }, { replicas: 3, paused: true }), "progressing", "2 of 3"],
  ]);
});

describe("a StatefulSet", () => {
  const set = (status: object, spec: object = {}): DynamicObject =>
    make("apps/v1/StatefulSet", { spec: { replicas: 3, ...spec }, status: { ...seen, replicas: 3, ...status } });
  const rolling = (partition: number) => ({ updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition } } });
  table([
    ["not available", set({ readyReplicas: 3, availableReplicas: 1, updatedReplicas: 3 }), "progressing", "1 of 3"],
    ["of an old server, ready", set({ readyReplicas: 3, updatedReplicas: 3 }), "ready", "3 of 3"],
    ["not updated", set({ availableReplicas: 3, updatedReplicas: 2 }), "progressing", "2 of 3 replicas are updated"],
    ["updated up to its partition", set({ availableReplicas: 3, updatedReplicas: 1 }, rolling(2)), "ready", "3 of 3"],
    [
      "not yet at its partition",
      set({ availableReplicas: 3 }, rolling(2)),
      "progressing",
      "0 of 1 replicas are updated",
    ],
    ["with a partition beyond it", set({ availableReplicas: 3 }, rolling(9)), "ready", "3 of 3"],
    ["updated by hand", set({ availableReplicas: 3 }, { updateStrategy: { type: "OnDelete" } }), "ready", "3 of 3"],
    [
      "that shrinks",
      set({ replicas: 4, availableReplicas: 4 }),
      "progressing",
      "1 surplus replicas are pending termination",
    ],
  ]);
});

describe("a DaemonSet", () => {
  const set = (desired: number, updated: number, available: number, spec: object = {}): DynamicObject =>
    make("apps/v1/DaemonSet", {
      spec,
      status: { ...seen, desiredNumberScheduled: desired, updatedNumberScheduled: updated, numberAvailable: available },
    });
  table([
    ["without nodes", set(0, 0, 0), "ready", "0 of 0"],
    ["not updated", set(3, 2, 3), "progressing", "2 of 3 nodes have an updated pod"],
    ["not available", set(3, 3, 2), "progressing", "2 of 3 nodes have an available pod"],
    ["available", set(3, 3, 3), "ready", "3 of 3"],
    ["updated by hand", set(3, 0, 3, { updateStrategy: { type: "OnDelete" } }), "ready", "3 of 3"],
  ]);
});

describe("a ReplicaSet", () => {
  const set = (status: object): DynamicObject =>
    make("apps/v1/ReplicaSet", { spec: { replicas: 2 }, status: { ...seen, ...status } });
  table([
    ["available", set({ replicas: 2, availableReplicas: 2 }), "ready", "2 of 2"],
    ["not available", set({ replicas: 2, availableReplicas: 1 }), "progressing", "1 of 2"],
    [
      "that shrinks",
      set({ replicas: 3, availableReplicas: 3 }),
      "progressing",
      "1 surplus replicas are pending termination",
    ],
  ]);
});

describe("a Job", () => {
  const job = (status: object, spec: object = {}): DynamicObject => make("batch/v1/Job", { spec, status });
  table([
    ["that runs", job({ active: 1 }), "progressing", "0 of 1 completions succeeded"],
    [
      "that has failed before",
      job({ failed: 2 }, { completions: 3 }),
      "progressing",
      "0 of 3 completions .*; 2 pods failed",
    ],
    ["that has failed once", job({ failed: 1 }), "progressing", "0 of 1 completions succeeded; 1 pod failed"],
    ["complete", job({ conditions: [condition("Complete")] }), "ready", "complete"],
    [
      "failed",
      job({ conditions: [condition("Failed", "True", { reason: "BackoffLimitExceeded" })] }),
      "failed",
      "BackoffLimitExceeded",
    ],
    ["about to fail", job({ conditions: [condition("FailureTarget")] }), "failed", "failed"],
    ["that had not failed", job({ conditions: [condition("Failed", "False")] }), "progressing", "0 of 1"],
    ["suspended", job({ conditions: [condition("Suspended")] }, { suspend: true }), "ready", "suspended"],
  ]);
});
