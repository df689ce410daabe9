import type { KubeObject } from "@butler/resource";
import { brief, conditionsOf, countAt, holding, listAt, mapAt, textAt, valueAt, wordsOf } from "./fields.ts";
import { failed, progressing, type Readiness, ready } from "./readiness.ts";

/** Waiting reasons that occur during every start. */
const ordinaryWaiting: ReadonlySet<string> = new Set(["", "ContainerCreating", "PodInitializing"]);

const wordsForWaiting: Readonly<Record<string, string>> = {
  CrashLoopBackOff: "is crash-looping",
  ImagePullBackOff: "cannot pull its image",
  ErrImagePull: "cannot pull its image",
  ErrImageNeverPull: "has an image that is not on the node and must not be pulled",
  InvalidImageName: "has an invalid image name",
  RegistryUnavailable: "cannot reach its image registry",
  CreateContainerConfigError: "cannot be configured",
  CreateContainerError: "cannot be created",
  RunContainerError: "cannot be started",
};

/** Waiting reasons that never resolve: the pod has to be recreated. */
const finalWaiting: ReadonlySet<string> = new Set(["InvalidImageName"]);

/** A pod is ready when its Ready condition is true or it succeeded. It has failed when it failed or can never start. */
export function podReadiness(object: KubeObject): Readiness {
  const phase = textAt(object, "status", "phase");
  if (phase === "Succeeded") return ready("it has succeeded");
  if (phase === "Failed") return failed(`it has failed: ${endingOf(object)}`);
  const trouble = podTrouble(object);
  const isFinal = containersOf(object).some((status) => finalWaiting.has(textAt(status, "state", "waiting", "reason")));
  if (isFinal && trouble !== undefined) return failed(trouble);
  if (phase === "Running" && holding(object, "Ready") !== undefined) return ready("it is ready");
  return progressing(
    trouble ?? (phase === "Running" ? "it is running but not ready yet" : "its containers are starting"),
  );
}

/** Why a pod is not ready, from its own status; undefined while there is no problem. */
export function podTrouble(object: KubeObject): string | undefined {
  for (const status of containersOf(object)) {
    const trouble = containerTrouble(status);
    if (trouble !== undefined) return trouble;
  }
  return schedulingTrouble(object);
}

/** Init containers come first: the others wait for them. */
function containersOf(object: KubeObject): readonly unknown[] {
  return [...listAt(object, "status", "initContainerStatuses"), ...listAt(object, "status", "containerStatuses")];
}

function containerTrouble(status: unknown): string | undefined {
  const container = `container ${textAt(status, "name")}`;
  const waiting = mapAt(status, "state", "waiting");
  const reason = textAt(waiting, "reason");
  if (!ordinaryWaiting.has(reason)) {
    const words = wordsForWaiting[reason];
    const what = words === undefined ? `is waiting: ${reason}` : `${words} (${reason})`;
    return `${container} ${what}${detailOf(status, reason)}`;
  }
  const terminated = mapAt(status, "state", "terminated");
  const exitCode = countAt(terminated, "exitCode");
  return exitCode === 0 ? undefined : `${container} exited with code ${exitCode}${because(terminated)}`;
}

/** After a crash, the last termination says more than the back-off state. */
function detailOf(status: unknown, reason: string): string {
  if (reason !== "CrashLoopBackOff") return colon(textAt(status, "state", "waiting", "message"));
  const last = mapAt(status, "lastState", "terminated");
  if (valueAt(last, "exitCode") === undefined) return colon(textAt(status, "state", "waiting", "message"));
  return `: last exit code ${countAt(last, "exitCode")}${because(last)}`;
}

/** The termination reason (such as OOMKilled), never its message: that is the program's own output. */
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
  return own || podTrouble(object) || "no reason given";
}

function colon(message: string): string {
  const text = brief(message);
  return text === "" ? "" : `: ${text}`;
}
