import type { KubeObject } from "@butler/resource";
import { brief, conditionsOf, countAt, holding, listAt, mapAt, textAt, valueAt, wordsOf } from "./fields.ts";
import { failed, progressing, type Readiness, ready } from "./readiness.ts";

/** Waiting that belongs to every start, and says nothing about whether the start goes well. */
const ordinaryWaiting: ReadonlySet<string> = new Set(["", "ContainerCreating", "PodInitializing"]);

const wordsForWaiting: Readonly<Record<string, string>> = {
  CrashLoopBackOff: "crashes again and again",
  ImagePullBackOff: "cannot pull its image",
  ErrImagePull: "cannot pull its image",
  ErrImageNeverPull: "may not pull its image, which the node does not have",
  InvalidImageName: "has an image name that is not valid",
  RegistryUnavailable: "cannot reach the registry of its image",
  CreateContainerConfigError: "cannot be configured",
  CreateContainerError: "cannot be created",
  RunContainerError: "cannot be started",
};

/** What no amount of waiting changes: the pod itself would have to be written anew. */
const finalWaiting: ReadonlySet<string> = new Set(["InvalidImageName"]);

/** A pod is ready when it says so or has ended well. It has failed when it has ended badly or can never start. */
export function podReadiness(object: KubeObject): Readiness {
  const phase = textAt(object, "status", "phase");
  if (phase === "Succeeded") return ready("it has ended well");
  if (phase === "Failed") return failed(`it has ended badly: ${endingOf(object)}`);
  const trouble = podTrouble(object);
  const isFinal = containersOf(object).some((status) => finalWaiting.has(textAt(status, "state", "waiting", "reason")));
  if (isFinal && trouble !== undefined) return failed(trouble);
  if (phase === "Running" && holding(object, "Ready") !== undefined) return ready("it is ready");
  return progressing(trouble ?? (phase === "Running" ? "it runs and is not ready yet" : "its containers are starting"));
}

/** Why a pod does not get ready, as far as it knows itself; undefined while nothing is wrong with it. */
export function podTrouble(object: KubeObject): string | undefined {
  for (const status of containersOf(object)) {
    const trouble = containerTrouble(status);
    if (trouble !== undefined) return trouble;
  }
  return schedulingTrouble(object);
}

/** Containers that set the stage come first: the others wait for them. */
function containersOf(object: KubeObject): readonly unknown[] {
  return [...listAt(object, "status", "initContainerStatuses"), ...listAt(object, "status", "containerStatuses")];
}

function containerTrouble(status: unknown): string | undefined {
  const container = `container ${textAt(status, "name")}`;
  const waiting = mapAt(status, "state", "waiting");
  const reason = textAt(waiting, "reason");
  if (!ordinaryWaiting.has(reason)) {
    const words = wordsForWaiting[reason];
    const what = words === undefined ? `waits: ${reason}` : `${words} (${reason})`;
    return `${container} ${what}${detailOf(status, reason)}`;
  }
  const terminated = mapAt(status, "state", "terminated");
  const exitCode = countAt(terminated, "exitCode");
  return exitCode === 0 ? undefined : `${container} has ended with exit code ${exitCode}${because(terminated)}`;
}

/** After a crash the last run tells more than the pause before the next one. */
function detailOf(status: unknown, reason: string): string {
  if (reason !== "CrashLoopBackOff") return colon(textAt(status, "state", "waiting", "message"));
  const last = mapAt(status, "lastState", "terminated");
  if (valueAt(last, "exitCode") === undefined) return colon(textAt(status, "state", "waiting", "message"));
  return `: it ended with exit code ${countAt(last, "exitCode")}${because(last)}`;
}

/** The ending's reason (such as OOMKilled), never its message: that is the program's own output. */
function because(terminated: unknown): string {
  const reason = textAt(terminated, "reason");
  return reason === "" || reason === "Error" ? "" : ` (${reason})`;
}

function schedulingTrouble(object: KubeObject): string | undefined {
  const unscheduled = conditionsOf(object).find(({ type, status }) => type === "PodScheduled" && status === "False");
  return unscheduled === undefined ? undefined : `it cannot be scheduled: ${wordsOf(unscheduled)}`;
}

function endingOf(object: KubeObject): string {
  const own = brief(textAt(object, "status", "message")) || textAt(object, "status", "reason");
  return own || podTrouble(object) || "it does not say why";
}

function colon(message: string): string {
  const text = brief(message);
  return text === "" ? "" : `: ${text}`;
}
