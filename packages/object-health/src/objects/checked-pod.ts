import type { ContainerState, ContainerStatus, Pod, PodCondition } from "@butler/api-external";
import type { KubeObject } from "@butler/resource";
import { valueAt } from "@butler/std";
import { conditionsOf, countAt, listAt, textAt } from "./fields.ts";

/** The state of a pod of unchecked shape: what is malformed counts as missing. */
export function checkedPod(object: KubeObject): Pod {
  const containers = (field: string): ContainerStatus[] => listAt(object, "status", field).map(containerStatus);
  return {
    ...object,
    spec: { containers: [] },
    status: {
      conditions: conditionsOf(object) as PodCondition[],
      initContainerStatuses: containers("initContainerStatuses"),
      containerStatuses: containers("containerStatuses"),
    },
  };
}

function containerStatus(status: unknown): ContainerStatus {
  return {
    name: textAt(status, "name"),
    ready: valueAt(status, "ready") === true,
    restartCount: countAt(status, "restartCount"),
    state: containerState(valueAt(status, "state")),
    lastState: containerState(valueAt(status, "lastState")),
  };
}

function containerState(state: unknown): ContainerState {
  const words = (name: string): { reason: string; message: string } => ({
    reason: textAt(state, name, "reason"),
    message: textAt(state, name, "message"),
  });
  const hasEnded = valueAt(state, "terminated.exitCode") !== undefined;
  const exitCode = countAt(state, "terminated", "exitCode");
  return { waiting: words("waiting"), terminated: hasEnded ? { exitCode, ...words("terminated") } : undefined };
}
