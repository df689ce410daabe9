import type { ContainerStatus, Pod } from "@butler/api-external";
import { isBeingDeleted } from "@butler/resource";
import type { Trouble } from "./observed.ts";

/** Waiting reasons that resolve on their own. */
const routine = new Set(["ContainerCreating", "PodInitializing"]);

/** The time and process ID at the start of klog lines: they differ in each line and are irrelevant here. */
const logHeader = /^[IWEF]\d{4} [\d:.]+\s+\d+ /;

type StatusWithInit = Pod["status"] & { readonly initContainerStatuses?: readonly ContainerStatus[] };

/**
 * Why pods do not start, as far as Kubernetes reports it; undefined when there is no problem. The text holds no
 * counters, so that the same problem is reported only once.
 */
export function podTrouble(pods: readonly Pod[]): Trouble | undefined {
  for (const pod of pods.filter((candidate) => !isBeingDeleted(candidate)).sort(byName)) {
    const trouble = unschedulable(pod) ?? containerTrouble(pod);
    if (trouble !== undefined) return trouble;
  }
  return undefined;
}

function byName(left: Pod, right: Pod): number {
  return left.metadata.name < right.metadata.name ? -1 : 1;
}

function unschedulable({ metadata, status }: Pod): Trouble | undefined {
  const scheduled = status?.conditions?.find(({ type }) => type === "PodScheduled");
  if (scheduled?.status !== "False" || scheduled.reason !== "Unschedulable") return undefined;
  return { reason: "PodUnschedulable", message: `pod ${metadata.name} is unschedulable: ${scheduled.message ?? ""}` };
}

function containerTrouble({ metadata, status }: Pod): Trouble | undefined {
  const { initContainerStatuses = [], containerStatuses = [] } = (status ?? {}) as NonNullable<StatusWithInit>;
  for (const container of [...initContainerStatuses, ...containerStatuses]) {
    const { reason, message = "" } = container.state?.waiting ?? {};
    if (reason === undefined || routine.has(reason)) continue;
    return waitingTrouble(container, { reason, message }, metadata.name);
  }
  return undefined;
}

function waitingTrouble(
  { name, lastState, image }: ContainerStatus,
  { reason, message }: Trouble,
  pod: string,
): Trouble {
  const where = `container ${name} of pod ${pod}`;
  if (reason === "CrashLoopBackOff") return crashed(where, lastState?.terminated);
  if (!reason.includes("Image")) return { reason, message: `${where} is waiting: ${message}` };
  return {
    reason: "ImageNotAvailable",
    message: `${where} cannot pull ${image === undefined ? "its image" : `image ${image}`}`,
  };
}

function crashed(where: string, end: { exitCode: number; message?: string | undefined } | undefined): Trouble {
  const lastLine = end?.message?.trim().split("\n").at(-1) ?? "";
  const lastWords = lastLine.replace(logHeader, "").slice(0, 500);
  const code = end === undefined ? "" : ` (exit code ${end.exitCode})`;
  return { reason: "ContainerCrashes", message: `${where} is crash-looping${code}: ${lastWords}` };
}
