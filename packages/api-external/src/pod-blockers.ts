import type { Blocker } from "@butler/resource";
import type { ContainerStatus, Pod } from "./pod.ts";

/**
 * What keeps a pod from running. The reason is one of `PodUnschedulable`, `ImageNotAvailable`, `OutOfMemory`,
 * `ContainerCrashes`, `ContainerExited` and `PodFailed`, or the kubelet's own. The message is what Kubernetes or the
 * program says about it, and may be empty.
 */
export interface PodBlocker extends Blocker {
  /** The container that does not run; undefined when none was started. */
  readonly container?: ContainerStatus | undefined;
}

/** Waiting reasons that occur during every start. */
const routineReasons: ReadonlySet<string> = new Set(["", "ContainerCreating", "PodInitializing"]);

/**
 * Everything that keeps a pod from running, by its own status, the most telling first. Callers report the first that
 * matters to their readers, in their own words. Containers that were OOM-killed have two entries: why, and how they
 * ended.
 */
export function podBlockers(pod: Pod): PodBlocker[] {
  // Init containers come first: the others wait for them.
  const { initContainerStatuses = [], containerStatuses = [] } = pod.status ?? {};
  return [
    unscheduled(pod),
    ...[...initContainerStatuses, ...containerStatuses].flatMap((container) => [
      outOfMemory(container),
      notStarted(container) ?? exited(container),
    ]),
    failed(pod),
  ].filter((blocker) => blocker !== undefined);
}

function unscheduled({ status }: Pod): PodBlocker | undefined {
  const scheduled = status?.conditions?.find((condition) => condition.type === "PodScheduled");
  if (scheduled?.status !== "False") return undefined;
  return { reason: "PodUnschedulable", message: scheduled.message || scheduled.reason || "" };
}

function notStarted(container: ContainerStatus): PodBlocker | undefined {
  const { reason = "", message = "" } = container.state?.waiting ?? {};
  if (routineReasons.has(reason)) return undefined;
  if (lacksImage(container)) return { reason: "ImageNotAvailable", message, container };
  if (reason !== "CrashLoopBackOff") return { reason, message, container };
  return { reason: "ContainerCrashes", message: container.lastState?.terminated?.message ?? "", container };
}

/** ErrImagePull, ImagePullBackOff, ErrImageNeverPull and InvalidImageName: the kubelet alternates between some of them. */
function lacksImage({ state }: ContainerStatus): boolean {
  return state?.waiting?.reason?.includes("Image") === true;
}

function outOfMemory(container: ContainerStatus): PodBlocker | undefined {
  const { ready, state, lastState } = container;
  const end = state?.terminated ?? lastState?.terminated;
  if (ready || lacksImage(container) || end?.reason !== "OOMKilled") return undefined;
  return { reason: "OutOfMemory", message: end.message ?? "", container };
}

function exited(container: ContainerStatus): PodBlocker | undefined {
  const { exitCode = 0, message = "" } = container.state?.terminated ?? {};
  return exitCode === 0 ? undefined : { reason: "ContainerExited", message, container };
}

function failed({ status }: Pod): PodBlocker | undefined {
  if (status?.phase !== "Failed") return undefined;
  return { reason: "PodFailed", message: [status.reason, status.message].filter(Boolean).join(": ") };
}
