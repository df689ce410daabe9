import type { ContainerStatus, Pod, TerminatedContainer } from "@butler/api-external";
import { type Blocker, isBeingDeleted } from "@butler/resource";
import { nodeContainer } from "./manifests.ts";

/** The state of a machine, derived from its pod. */
export interface PodState {
  readonly stage: "starting" | "bootstrapping" | "running" | "failed" | "terminating";
  readonly failure: Blocker | undefined;
}

/** Derives the state from a pod. `hasJoined`: whether the machine has joined as a node before. */
export function readPod(pod: Pod, { hasJoined }: { hasJoined: boolean }): PodState {
  if (isBeingDeleted(pod)) return { stage: "terminating", failure: undefined };
  const { phase, containerStatuses = [] } = pod.status ?? {};
  if (phase === "Failed" || phase === "Succeeded") return { stage: "failed", failure: hasEnded(pod) };
  const container = containerStatuses.find(({ name }) => name === nodeContainer);
  return container === undefined
    ? { stage: "starting", failure: isUnschedulable(pod) }
    : readContainer(container, hasJoined);
}

function readContainer({ ready, state = {}, lastState = {} }: ContainerStatus, hasJoined: boolean): PodState {
  if (ready) return { stage: "running", failure: undefined };
  const ended = state.terminated ?? lastState.terminated;
  if (ended !== undefined) return { stage: "bootstrapping", failure: describeEnd(ended, hasJoined) };
  if (state.waiting !== undefined) return { stage: "starting", failure: cannotStart(state.waiting) };
  return { stage: "bootstrapping", failure: undefined };
}

function hasEnded({ status }: Pod): Blocker {
  return { reason: status?.reason ?? "PodFailed", message: clean(status?.message ?? "the pod has terminated") };
}

function isUnschedulable({ status }: Pod): Blocker | undefined {
  const scheduled = status?.conditions?.find(({ type }) => type === "PodScheduled");
  if (scheduled?.status !== "False") return undefined;
  return {
    reason: scheduled.reason ?? "Unschedulable",
    message: clean(scheduled.message ?? "the pod is unschedulable"),
  };
}

/** Waiting reasons of the kubelet that are not failures. */
const patience = new Set(["ContainerCreating", "PodInitializing"]);

function cannotStart({
  reason,
  message,
}: {
  reason?: string | undefined;
  message?: string | undefined;
}): Blocker | undefined {
  if (reason === undefined || patience.has(reason)) return undefined;
  // The kubelet alternates between two reasons for one failure, and repeats itself in the second.
  const isPull = reason === "ErrImagePull" || reason === "ImagePullBackOff";
  const told = (message ?? "").replace(/^Back-off pulling image "[^"]*"(: ErrImagePull: )?/, "");
  return { reason: isPull ? "ErrImagePull" : reason, message: clean(told || "the container failed to start") };
}

function describeEnd({ exitCode, reason, message }: TerminatedContainer, hasJoined: boolean): Blocker {
  const what = hasJoined ? "the node" : "the bootstrap";
  const how = reason === "OOMKilled" ? "ran out of memory" : `exited with code ${exitCode}`;
  const told = message === undefined || message.trim() === "" ? "" : `: ${message}`;
  const word = hasJoined ? "NodeStopped" : "BootstrapFailed";
  return { reason: reason === "OOMKilled" ? "OutOfMemory" : word, message: clean(`${what} ${how}${told}`) };
}

const longestMessage = 1_000;

/** One line without tokens; a long text is cut to its end, where programs print the error. */
function clean(text: string): string {
  const line = text
    .replaceAll(/\b[a-z0-9]{6}\.[a-z0-9]{16}\b/g, "[redacted]")
    .replaceAll(/\s+/g, " ")
    .trim();
  return line.length <= longestMessage ? line : `...${line.slice(-longestMessage)}`;
}
