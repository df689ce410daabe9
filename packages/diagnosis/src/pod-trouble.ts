import type { ContainerStatus, Pod } from "@butler/api-external";
import { isBeingDeleted } from "@butler/resource";
import type { ClusterFacts } from "./facts.ts";

/** Why a pod is not running, and what to do about it. */
export interface PodTrouble {
  readonly cause: string;
  /** The rest of a sentence whose subject is the pod. */
  readonly predicate: string;
  readonly nextStep: string;
}

type FullStatus = Pod["status"] & { readonly initContainerStatuses?: readonly ContainerStatus[] };

const imageReasons = new Set(["ImagePullBackOff", "ErrImagePull", "InvalidImageName", "ErrImageNeverPull"]);
const routineReasons = new Set(["ContainerCreating", "PodInitializing"]);

/** Why a pod is not running; undefined when no problem is found. */
export function podTrouble(pod: Pod, facts: Pick<ClusterFacts, "lastWords">): PodTrouble | undefined {
  if (isBeingDeleted(pod)) return undefined;
  return unschedulable(pod) ?? containersTrouble(pod, facts) ?? ended(pod);
}

function unschedulable({ status }: Pod): PodTrouble | undefined {
  const scheduled = status?.conditions?.find(({ type }) => type === "PodScheduled");
  if (scheduled?.status !== "False" || scheduled.reason !== "Unschedulable") return undefined;
  return {
    cause: "PodUnschedulable",
    predicate: `cannot be scheduled on the management cluster (${scheduled.message ?? "no reason given"})`,
    nextStep: "Ask a platform administrator to add capacity, or reduce the size of the cluster.",
  };
}

function containersTrouble(
  { metadata, status }: Pod,
  { lastWords }: Pick<ClusterFacts, "lastWords">,
): PodTrouble | undefined {
  const { initContainerStatuses = [], containerStatuses = [] } = (status ?? {}) as NonNullable<FullStatus>;
  for (const container of [...initContainerStatuses, ...containerStatuses]) {
    const trouble = containerTrouble(container, {
      lastWords: lastWords[`${metadata.name}/${container.name}`] ?? "",
      logCommand: `kubectl -n ${metadata.namespace ?? ""} logs ${metadata.name} -c ${container.name} --previous`,
    });
    if (trouble !== undefined) return trouble;
  }
  return undefined;
}

interface ContainerWords {
  readonly lastWords: string;
  readonly logCommand: string;
}

function containerTrouble(container: ContainerStatus, words: ContainerWords): PodTrouble | undefined {
  const { reason, message = "" } = container.state?.waiting ?? {};
  if (reason !== undefined && imageReasons.has(reason)) return imageMissing(container);
  if (isOutOfMemory(container)) return outOfMemory(container);
  if (reason === "CrashLoopBackOff") return crashing(container, words);
  if (reason === undefined || routineReasons.has(reason)) return undefined;
  return {
    cause: reason,
    predicate: `cannot start container ${container.name} (${reason}${message === "" ? "" : `: ${message}`})`,
    nextStep: "Fix the reported cause.",
  };
}

function imageMissing({ name, image }: ContainerStatus): PodTrouble {
  return {
    cause: "ImageNotAvailable",
    predicate: `cannot pull ${image === undefined ? "the image" : `image ${image}`} of container ${name}`,
    nextStep: "Check that the image exists in the registry and that the nodes have permission to pull it.",
  };
}

function isOutOfMemory({ ready, state, lastState }: ContainerStatus): boolean {
  const end = state?.terminated ?? lastState?.terminated;
  return !ready && end?.reason === "OOMKilled";
}

function outOfMemory({ name }: ContainerStatus): PodTrouble {
  return {
    cause: "OutOfMemory",
    predicate: `was OOM-killed: container ${name} needs more memory than its limit allows`,
    nextStep:
      "Raise spec.controlPlane.resources of the cluster, or ask a platform administrator to raise the platform setting.",
  };
}

function crashing({ name, lastState, restartCount }: ContainerStatus, words: ContainerWords): PodTrouble {
  const code = lastState?.terminated === undefined ? "" : `, last exit code ${lastState.terminated.exitCode}`;
  const last = words.lastWords === "" ? "" : `; last output: ${words.lastWords}`;
  return {
    cause: "ContainerCrashes",
    predicate: `is crash-looping: container ${name} restarted ${restartCount} ${restartCount === 1 ? "time" : "times"}${code}${last}`,
    nextStep: `Read the full log: ${words.logCommand}`,
  };
}

function ended({ status }: Pod): PodTrouble | undefined {
  if (status?.phase !== "Failed") return undefined;
  return {
    cause: "PodFailed",
    predicate: `has failed (${[status.reason, status.message].filter(Boolean).join(": ") || "no reason given"})`,
    nextStep: "A new pod replaces it. If that one fails too, check the node that it ran on.",
  };
}
