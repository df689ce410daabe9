import type { ContainerStatus, Pod } from "@butler/api-external";
import { isBeingDeleted } from "@butler/resource";
import type { ClusterFacts } from "./facts.ts";

/** Why a pod does not run, and what to do about it. */
export interface PodTrouble {
  readonly cause: string;
  /** The rest of a sentence that begins with the pod. */
  readonly predicate: string;
  readonly nextStep: string;
}

type FullStatus = Pod["status"] & { readonly initContainerStatuses?: readonly ContainerStatus[] };

const imageReasons = new Set(["ImagePullBackOff", "ErrImagePull", "InvalidImageName", "ErrImageNeverPull"]);
const routineReasons = new Set(["ContainerCreating", "PodInitializing"]);

/** Why a pod does not run; undefined when nothing speaks against it. */
export function podTrouble(pod: Pod, facts: Pick<ClusterFacts, "lastWords">): PodTrouble | undefined {
  if (isBeingDeleted(pod)) return undefined;
  return unschedulable(pod) ?? containersTrouble(pod, facts) ?? ended(pod);
}

function unschedulable({ status }: Pod): PodTrouble | undefined {
  const scheduled = status?.conditions?.find(({ type }) => type === "PodScheduled");
  if (scheduled?.status !== "False" || scheduled.reason !== "Unschedulable") return undefined;
  return {
    cause: "PodUnschedulable",
    predicate: `fits on no node of the management cluster (${scheduled.message ?? "no reason is given"})`,
    nextStep: "Ask an operator of the platform for more room, or make the cluster smaller.",
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
    predicate: `cannot start its container ${container.name} (${reason}${message === "" ? "" : `: ${message}`})`,
    nextStep: "Put right what the message names.",
  };
}

function imageMissing({ name, image = "of its container" }: ContainerStatus): PodTrouble {
  return {
    cause: "ImageNotAvailable",
    predicate: `cannot get the image ${image} for its container ${name}`,
    nextStep: "See that the image exists in the registry, and that the nodes may pull it.",
  };
}

function isOutOfMemory({ ready, state, lastState }: ContainerStatus): boolean {
  const end = state?.terminated ?? lastState?.terminated;
  return !ready && end?.reason === "OOMKilled";
}

function outOfMemory({ name }: ContainerStatus): PodTrouble {
  return {
    cause: "OutOfMemory",
    predicate: `was ended because its container ${name} needs more memory than it may have`,
    nextStep: "Raise spec.controlPlane.resources of the cluster, or ask an operator to raise the platform's setting.",
  };
}

function crashing({ name, lastState, restartCount }: ContainerStatus, words: ContainerWords): PodTrouble {
  const code = lastState?.terminated === undefined ? "" : ` with code ${lastState.terminated.exitCode}`;
  const last = words.lastWords === "" ? "" : `; its last words were: ${words.lastWords}`;
  return {
    cause: "ContainerCrashes",
    predicate: `crashes: its container ${name} ended ${restartCount} times, lately${code}${last}`,
    nextStep: `Read the whole log with: ${words.logCommand}`,
  };
}

function ended({ status }: Pod): PodTrouble | undefined {
  if (status?.phase !== "Failed") return undefined;
  return {
    cause: "PodFailed",
    predicate: `has failed (${[status.reason, status.message].filter(Boolean).join(": ") || "no reason is given"})`,
    nextStep: "A new pod takes its place; if it fails, too, look at the node that it ran on.",
  };
}
