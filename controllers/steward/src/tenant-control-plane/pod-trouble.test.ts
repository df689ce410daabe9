import type { Pod } from "@butler/api-external";
import { describe, expect, it } from "vitest";
import { podTrouble } from "./pod-trouble.ts";

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

describe("why pods do not come up", () => {
  it.each(["ErrImagePull", "ImagePullBackOff", "InvalidImageName"])("an image that is not there: %s", (reason) => {
    const message = 'Back-off pulling image "x" for 20s';
    expect(podTrouble([aPod({ initContainerStatuses: [waiting(reason, message)] })])).toEqual({
      reason: "ImageNotAvailable",
      message:
        "container kube-apiserver of pod blue-1 has no image: registry.k8s.io/kube-apiserver:v1.36.99 cannot be had",
    });
  });

  it("a program that ends, with its last words but without their time", () => {
    const at = (time: string) => ({
      ...waiting("CrashLoopBackOff", "back-off 10s"),
      lastState: {
        terminated: { exitCode: 1, message: `I1115 ${time}       1 x\nE1115 ${time}       1 run.go:72] bad flag` },
      },
    });
    const told = podTrouble([aPod({ initContainerStatuses: [at("08:39:04.290133")] })]);
    expect(told).toEqual({
      reason: "ContainerCrashes",
      message: "container kube-apiserver of pod blue-1 ends again and again with code 1: run.go:72] bad flag",
    });
    expect(podTrouble([aPod({ initContainerStatuses: [at("08:41:44.000001")] })])).toEqual(told);
  });

  it("no node that takes them", () => {
    const conditions = [{ type: "PodScheduled", status: "False", reason: "Unschedulable", message: "0/1 nodes" }];
    expect(podTrouble([aPod({ conditions })])).toEqual({
      reason: "PodUnschedulable",
      message: "no node takes pod blue-1: 0/1 nodes",
    });
  });

  it.each(["ContainerCreating", "PodInitializing"])("nothing while they are on their way: %s", (reason) => {
    expect(podTrouble([aPod({ containerStatuses: [waiting(reason)] })])).toBeUndefined();
  });

  it("nothing about those that are going anyway", () => {
    const status = { containerStatuses: [waiting("CrashLoopBackOff")] };
    expect(podTrouble([aPod(status, { deletionTimestamp: "2026-01-01T00:00:00Z" })])).toBeUndefined();
  });
});
