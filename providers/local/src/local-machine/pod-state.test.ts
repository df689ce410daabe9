import type { Pod } from "@butler/api-external";
import { describe, expect, it } from "vitest";
import { aContainer, aPod, runningPodStatus } from "../testing/objects.ts";
import { type PodState, readPod } from "./pod-state.ts";

const waiting = (reason: string, message?: string): Pod["status"] => ({
  phase: "Pending",
  containerStatuses: [aContainer({ state: { waiting: { reason, message } } })],
});

const ended = { terminated: { exitCode: 7, reason: "Error", message: "preflight\n  failed" } };
const noSpace = { type: "PodScheduled", status: "False", reason: "Unschedulable", message: "0/1 nodes" } as const;

describe("the state of a machine from its pod", () => {
  it.each<[string, Pod["status"], Partial<PodState>]>([
    ["a new pod", {}, { stage: "starting", failure: undefined }],
    ["one without a node yet", { conditions: [{ type: "PodScheduled", status: "True" }] }, { failure: undefined }],
    [
      "one that no node takes",
      { conditions: [noSpace] },
      { failure: { reason: "Unschedulable", message: "0/1 nodes" } },
    ],
    ["one whose container is made", waiting("ContainerCreating"), { stage: "starting", failure: undefined }],
    ["a bad image name", waiting("InvalidImageName", "x"), { failure: { reason: "InvalidImageName", message: "x" } }],
    [
      "an image that is not there",
      waiting("ErrImagePull", "no x"),
      { failure: { reason: "ErrImagePull", message: "no x" } },
    ],
    [
      "the same in the kubelet's other words",
      waiting("ImagePullBackOff", 'Back-off pulling image "x": ErrImagePull: no x'),
      { stage: "starting", failure: { reason: "ErrImagePull", message: "no x" } },
    ],
    [
      "the same without words",
      waiting("ImagePullBackOff"),
      { failure: { reason: "ErrImagePull", message: "the container failed to start" } },
    ],
    ["one that runs", runningPodStatus(), { stage: "bootstrapping", failure: undefined }],
    ["one that has joined", runningPodStatus({ ready: true }), { stage: "running", failure: undefined }],
    [
      "one that was restarted and has joined",
      runningPodStatus({ ready: true, restartCount: 1, lastState: ended }),
      { stage: "running", failure: undefined },
    ],
    [
      "one whose bootstrap failed",
      runningPodStatus({ state: ended }),
      {
        stage: "bootstrapping",
        failure: { reason: "BootstrapFailed", message: "the bootstrap exited with code 7: preflight failed" },
      },
    ],
    [
      "one whose bootstrap is tried again",
      runningPodStatus({ state: { waiting: { reason: "CrashLoopBackOff" } }, lastState: ended }),
      {
        stage: "bootstrapping",
        failure: expect.objectContaining({ reason: "BootstrapFailed" }) as PodState["failure"],
      },
    ],
    [
      "one that had too little memory",
      runningPodStatus({ state: { terminated: { exitCode: 137, reason: "OOMKilled" } } }),
      { failure: { reason: "OutOfMemory", message: "the bootstrap ran out of memory" } },
    ],
    [
      "one that was evicted",
      { phase: "Failed", reason: "Evicted", message: "low on disk" },
      { stage: "failed", failure: { reason: "Evicted", message: "low on disk" } },
    ],
    [
      "one that just ended",
      { phase: "Succeeded" },
      { failure: { reason: "PodFailed", message: "the pod has terminated" } },
    ],
  ])("recognizes %s", (_what, status, expected) => {
    expect(readPod(aPod(status), { hasJoined: false })).toMatchObject(expected);
  });

  it("distinguishes a stopped node from a failed bootstrap", () => {
    const status = runningPodStatus({ lastState: { terminated: { exitCode: 1 } } });
    const { failure } = readPod(aPod(status), { hasJoined: true });
    expect(failure).toEqual({ reason: "NodeStopped", message: "the node exited with code 1" });
  });

  it("recognizes a terminating pod, whatever its containers do", () => {
    const pod = aPod(runningPodStatus({ ready: true }), { deletionTimestamp: "2026-01-01T00:00:00Z" });
    expect(readPod(pod, { hasJoined: true }).stage).toBe("terminating");
  });

  it("shows the end of a long message, and no token", () => {
    const message = `${"x".repeat(3_000)} token abcdef.0123456789abcdef refused`;
    const status = runningPodStatus({ state: { terminated: { exitCode: 1, message } } });
    const { failure } = readPod(aPod(status), { hasJoined: false });
    expect(failure?.message).toMatch(/^\.\.\.x+ token \[redacted\] refused$/);
    expect(failure?.message.length).toBeLessThan(1_100);
  });
});
