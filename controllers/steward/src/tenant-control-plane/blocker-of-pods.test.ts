import type { Pod } from "@butler/api-external";
import { describe, expect, it } from "vitest";
import { blockerOfPods } from "./blocker-of-pods.ts";

function aPod(status: object, metadata: object = {}): Pod {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "blue-1", namespace: "tenants", ...metadata },
    spec: { containers: [] },
    status,
  };
}

const waiting = (reason: string, message = "") => ({
  name: "kube-apiserver",
  ready: false,
  restartCount: 0,
  image: "registry.k8s.io/kube-apiserver:v1.36.99",
  state: { waiting: { reason, message } },
});

describe("blockerOfPods", () => {
  it.each(["ErrImagePull", "ImagePullBackOff", "InvalidImageName"])("reports a missing image: %s", (reason) => {
    const message = 'Back-off pulling image "x" for 20s';
    expect(blockerOfPods([aPod({ initContainerStatuses: [waiting(reason, message)] })])).toEqual({
      reason: "ImageNotAvailable",
      message: "container kube-apiserver of pod blue-1 cannot pull image registry.k8s.io/kube-apiserver:v1.36.99",
    });
  });

  it("reports a crashing container with its last log line, without the time", () => {
    const at = (time: string) => ({
      ...waiting("CrashLoopBackOff", "back-off 10s"),
      lastState: {
        terminated: { exitCode: 1, message: `I1115 ${time}       1 x\nE1115 ${time}       1 run.go:72] bad flag` },
      },
    });
    const told = blockerOfPods([aPod({ initContainerStatuses: [at("08:39:04.290133")] })]);
    expect(told).toEqual({
      reason: "ContainerCrashes",
      message: "container kube-apiserver of pod blue-1 is crash-looping (exit code 1): run.go:72] bad flag",
    });
    expect(blockerOfPods([aPod({ initContainerStatuses: [at("08:41:44.000001")] })])).toEqual(told);
  });

  it("reports an unschedulable pod", () => {
    const conditions = [{ type: "PodScheduled", status: "False", reason: "Unschedulable", message: "0/1 nodes" }];
    expect(blockerOfPods([aPod({ conditions })])).toEqual({
      reason: "PodUnschedulable",
      message: "pod blue-1 is unschedulable: 0/1 nodes",
    });
  });

  it.each(["ContainerCreating", "PodInitializing"])("reports nothing while pods start: %s", (reason) => {
    expect(blockerOfPods([aPod({ containerStatuses: [waiting(reason)] })])).toBeUndefined();
  });

  it("reports nothing about terminating pods", () => {
    const status = { containerStatuses: [waiting("CrashLoopBackOff")] };
    expect(blockerOfPods([aPod(status, { deletionTimestamp: "2026-01-01T00:00:00Z" })])).toBeUndefined();
  });
});
