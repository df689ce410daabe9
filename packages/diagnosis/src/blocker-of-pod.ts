import { type Pod, type PodBlocker, podBlockers } from "@butler/api-external";
import { type Blocker, isBeingDeleted } from "@butler/resource";
import type { ClusterFacts } from "./facts.ts";

/** Why a pod is not running. The message is the rest of a sentence whose subject is the pod. */
export interface BlockerOfPod extends Blocker {
  readonly remedy: string;
}

/** Why a pod is not running, and what to do about it; undefined when no problem is found. */
export function blockerOfPod(pod: Pod, facts: Pick<ClusterFacts, "lastWords">): BlockerOfPod | undefined {
  if (isBeingDeleted(pod)) return undefined;
  // A container that has exited is restarted, or its pod fails.
  const blocker = podBlockers(pod).find(({ reason }) => reason !== "ContainerExited");
  return blocker && { reason: blocker.reason, ...adviceOn(pod, blocker, facts) };
}

function adviceOn(
  pod: Pod,
  { reason, message, container }: PodBlocker,
  { lastWords }: Pick<ClusterFacts, "lastWords">,
): Omit<BlockerOfPod, "reason"> {
  if (container === undefined) return adviceOnPod(reason, message || "no reason given");
  const { name, image } = container;
  switch (reason) {
    case "ImageNotAvailable":
      return {
        message: `cannot pull ${image === undefined ? "the image" : `image ${image}`} for container ${name}`,
        remedy: "Check that the image exists in the registry and that the nodes have permission to pull it.",
      };
    case "OutOfMemory":
      return {
        message: `was OOM-killed: container ${name} needs more memory than its limit allows`,
        remedy:
          "Raise the cluster's spec.controlPlane.resources, or ask a platform administrator to raise the platform setting.",
      };
    case "ContainerCrashes":
      return adviceOnCrash(pod, container, lastWords[`${pod.metadata.name}/${name}`] ?? "");
    default:
      return {
        message: `cannot start container ${name} (${reason}${message === "" ? "" : `: ${message}`})`,
        remedy: "Fix the reported cause.",
      };
  }
}

function adviceOnPod(reason: string, message: string): Omit<BlockerOfPod, "reason"> {
  if (reason === "PodFailed") {
    return {
      message: `has failed (${message})`,
      remedy: "A new pod replaces the failed one. If the new pod also fails, check the node that it ran on.",
    };
  }
  return {
    message: `cannot be scheduled on the management cluster (${message})`,
    remedy: "Reduce the size of the cluster, or ask a platform administrator to add capacity.",
  };
}

function adviceOnCrash(
  { metadata }: Pod,
  { name, lastState, restartCount }: NonNullable<PodBlocker["container"]>,
  lastWords: string,
): Omit<BlockerOfPod, "reason"> {
  const times = `${restartCount} ${restartCount === 1 ? "time" : "times"}`;
  const code = lastState?.terminated === undefined ? "" : `, last exit code ${lastState.terminated.exitCode}`;
  const last = lastWords === "" ? "" : `; last output: ${lastWords}`;
  return {
    message: `is crash-looping: container ${name} restarted ${times}${code}${last}`,
    remedy: `Read the full log: kubectl -n ${metadata.namespace ?? ""} logs ${metadata.name} -c ${name} --previous`,
  };
}
