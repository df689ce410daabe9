import { type Pod, type PodBlocker, podBlockers } from "@butler/api-external";
import { type Blocker, isBeingDeleted } from "@butler/resource";

/** The time and process ID at the start of klog lines: they differ in each line and are irrelevant here. */
const logHeader = /^[IWEF]\d{4} [\d:.]+\s+\d+ /;

/** States between two restarts: what happens next is reported instead. */
const passing: ReadonlySet<string> = new Set(["OutOfMemory", "ContainerExited", "PodFailed"]);

/**
 * Why pods do not start, as far as Kubernetes reports it; undefined when there is no problem. The text holds no
 * counters, so that the same problem is reported only once.
 */
export function blockerOfPods(pods: readonly Pod[]): Blocker | undefined {
  for (const pod of pods.filter((candidate) => !isBeingDeleted(candidate)).sort(byName)) {
    const blocker = podBlockers(pod).find(({ reason }) => !passing.has(reason));
    if (blocker !== undefined) return { reason: blocker.reason, message: messageOf(pod, blocker) };
  }
  return undefined;
}

function byName(left: Pod, right: Pod): number {
  return left.metadata.name < right.metadata.name ? -1 : 1;
}

function messageOf({ metadata }: Pod, { reason, message, container }: PodBlocker): string {
  if (container === undefined) return `pod ${metadata.name} is unschedulable: ${message}`;
  const { name, image, lastState } = container;
  const where = `container ${name} of pod ${metadata.name}`;
  if (reason === "ImageNotAvailable")
    return `${where} cannot pull ${image === undefined ? "its image" : `image ${image}`}`;
  if (reason !== "ContainerCrashes") return `${where} is waiting: ${message}`;
  const code = lastState?.terminated === undefined ? "" : ` (exit code ${lastState.terminated.exitCode})`;
  return `${where} is crash-looping${code}: ${lastWords(message)}`;
}

function lastWords(output: string): string {
  const lastLine = output.trim().split("\n").at(-1) ?? "";
  return lastLine.replace(logHeader, "").slice(0, 500);
}
