import { describe, expect, it } from "vitest";
import type { ContainerStatus, Pod } from "./pod.ts";
import { podBlockers } from "./pod-blockers.ts";

function aPod(status: NonNullable<Pod["status"]>): Pod {
  return { apiVersion: "v1", kind: "Pod", metadata: { name: "blue" }, spec: { containers: [] }, status };
}

function aContainer(over: Partial<ContainerStatus>, name = "app"): ContainerStatus {
  return { name, ready: false, restartCount: 0, ...over };
}

const waiting = (reason: string, message = "") => ({ state: { waiting: { reason, message } } });
const reasonsOf = (status: NonNullable<Pod["status"]>) => podBlockers(aPod(status)).map(({ reason }) => reason);

describe("podBlockers", () => {
  it.each(["ContainerCreating", "PodInitializing"])("is empty during a start: %s", (reason) => {
    expect(reasonsOf({ phase: "Pending", containerStatuses: [aContainer(waiting(reason))] })).toEqual([]);
    expect(podBlockers({ ...aPod({}), status: undefined })).toEqual([]);
  });

  it.each([
    ["ErrImagePull", "ImageNotAvailable"],
    ["InvalidImageName", "ImageNotAvailable"],
    ["CrashLoopBackOff", "ContainerCrashes"],
    ["CreateContainerConfigError", "CreateContainerConfigError"],
  ])("has a reason for a waiting container: %s", (reason, expected) => {
    expect(reasonsOf({ containerStatuses: [aContainer(waiting(reason))] })).toEqual([expected]);
  });

  it("reports the scheduler's message, or its reason", () => {
    const conditions = [{ type: "PodScheduled", status: "False", reason: "Unschedulable" } as const];
    expect(podBlockers(aPod({ conditions }))).toEqual([{ reason: "PodUnschedulable", message: "Unschedulable" }]);
  });

  it("reports the last output of a crashing container, and first that it was OOM-killed", () => {
    const lastState = { terminated: { exitCode: 137, reason: "OOMKilled", message: "killed" } };
    const container = aContainer({ ...waiting("CrashLoopBackOff", "back-off 5m"), lastState });
    expect(podBlockers(aPod({ containerStatuses: [container] }))).toEqual([
      { reason: "OutOfMemory", message: "killed", container },
      { reason: "ContainerCrashes", message: "killed", container },
    ]);
  });

  it("lists init containers first and a failed pod last", () => {
    const init = aContainer(waiting("ErrImagePull"), "init");
    const app = aContainer({ state: { terminated: { exitCode: 2 } } });
    const done = aContainer({ state: { terminated: { exitCode: 0 } } });
    const status = {
      phase: "Failed" as const,
      reason: "Evicted",
      containerStatuses: [done, app],
      initContainerStatuses: [init],
    };
    expect(podBlockers(aPod(status))).toEqual([
      { reason: "ImageNotAvailable", message: "", container: init },
      { reason: "ContainerExited", message: "", container: app },
      { reason: "PodFailed", message: "Evicted" },
    ]);
  });
});
