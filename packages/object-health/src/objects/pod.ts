import { type PodBlocker, podBlockers, type TerminatedContainer } from "@butler/api-external";
import type { KubeObject } from "@butler/resource";
import { checkedPod } from "./checked-pod.ts";
import { brief, holding, textAt } from "./fields.ts";
import { failed, progressing, type Readiness, ready } from "./readiness.ts";

const wordsForWaiting: Readonly<Record<string, string>> = {
  CrashLoopBackOff: "is crash-looping",
  ImagePullBackOff: "cannot pull its image",
  ErrImagePull: "cannot pull its image",
  ErrImageNeverPull: "needs an image that is not on the node (imagePullPolicy Never)",
  InvalidImageName: "has an invalid image name",
  RegistryUnavailable: "cannot reach its image registry",
  CreateContainerConfigError: "cannot be configured",
  CreateContainerError: "cannot be created",
  RunContainerError: "cannot be started",
};

/** Waiting reasons that never resolve: the pod has to be recreated. */
const finalWaiting: ReadonlySet<string> = new Set(["InvalidImageName"]);

/** What the containers report about themselves is more telling than these. */
const uninformative: ReadonlySet<string> = new Set(["OutOfMemory", "PodFailed"]);

/** A pod is ready when its Ready condition is true or it succeeded. It has failed when it failed or can never start. */
export function podReadiness(object: KubeObject): Readiness {
  const phase = textAt(object, "status", "phase");
  if (phase === "Succeeded") return ready("succeeded");
  if (phase === "Failed") return failed(`failed: ${endingOf(object)}`);
  const message = podMessage(object);
  const isFinal = podBlockers(checkedPod(object)).some(({ container }) => finalWaiting.has(waitingReason(container)));
  if (isFinal && message !== undefined) return failed(message);
  if (phase === "Running" && holding(object, "Ready") !== undefined) return ready("ready");
  return progressing(message ?? (phase === "Running" ? "running but not ready yet" : "containers are starting"));
}

/** Why a pod is not ready, from its own status; undefined while nothing blocks it. */
export function podMessage(object: KubeObject): string | undefined {
  const blocker = podBlockers(checkedPod(object)).find(({ reason }) => !uninformative.has(reason));
  if (blocker?.container !== undefined) return containerMessage(blocker, blocker.container);
  return blocker && `cannot be scheduled: ${brief(blocker.message) || "PodScheduled is False"}`;
}

type Container = NonNullable<PodBlocker["container"]>;

function waitingReason(container: Container | undefined): string {
  return container?.state?.waiting?.reason ?? "";
}

function containerMessage({ reason }: PodBlocker, container: Container): string {
  const { name, state, lastState } = container;
  if (reason === "ContainerExited") return `container ${name} exited with ${codeOf(state?.terminated)}`;
  const waiting = waitingReason(container);
  const words = wordsForWaiting[waiting];
  const what = words === undefined ? `is waiting: ${waiting}` : `${words} (${waiting})`;
  // After a crash, the last termination says more than the back-off state.
  const isCrash = reason === "ContainerCrashes" && lastState?.terminated !== undefined;
  const detail = isCrash ? `last exit ${codeOf(lastState.terminated)}` : brief(state?.waiting?.message ?? "");
  return `container ${name} ${what}${detail === "" ? "" : `: ${detail}`}`;
}

/** The exit code and reason (such as OOMKilled), never the message: that is the program's own output. */
function codeOf({ exitCode = 0, reason = "" }: Partial<TerminatedContainer> = {}): string {
  return `code ${exitCode}${reason === "" || reason === "Error" ? "" : ` (${reason})`}`;
}

function endingOf(object: KubeObject): string {
  const own = brief(textAt(object, "status", "message")) || textAt(object, "status", "reason");
  return own || podMessage(object) || "no reason given";
}
