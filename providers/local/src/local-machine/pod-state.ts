import type { ContainerStatus, Pod, TerminatedContainer } from "@butler/api-external";
import { isBeingDeleted } from "@butler/resource";
import { nodeContainer } from "./manifests.ts";

/** Why a machine cannot be created, or has failed. */
export interface Trouble {
  /** A CamelCase reason. */
  readonly reason: string;
  readonly message: string;
}

/** The state of a machine, derived from its pod. */
export interface PodState {
  readonly stage: "starting" | "bootstrapping" | "running" | "failed" | "terminating";
  readonly trouble: Trouble | undefined;
}

/** Derives the state from a pod. `hasJoined`: whether the machine has joined as a node before. */
export function readPod(pod: Pod, { hasJoined }: { hasJoined: boolean }): PodState {
  if (isBeingDeleted(pod)) return { stage: "terminating", trouble: undefined };
  const { phase, containerStatuses = [] } = pod.status ?? {};
  if (phase === "Failed" || phase === "Succeeded") return { stage: "failed", trouble: hasEnded(pod) };
  const container = containerStatuses.find(({ name }) => name === nodeContainer);
  return container === undefined
    ? { stage: "starting", trouble: isUnschedulable(pod) }
    : readContainer(container, hasJoined);
}

function readContainer({ ready, state = {}, lastState = {} }: ContainerStatus, hasJoined: boolean): PodState {
  if (ready) return { stage: "running", trouble: undefined };
  const ended = state.terminated ?? lastState.terminated;
  if (ended !== undefined) return { stage: "bootstrapping", trouble: describeEnd(ended, hasJoined) };
  if (state.waiting !== undefined) return { stage: "starting", trouble: cannotStart(state.waiting) };
  return { stage: "bootstrapping", trouble: undefined };
}

function hasEnded({ status }: Pod): Trouble {
  return { reason: status?.reason ?? "PodFailed", message: clean(status?.message ?? "the pod has terminated") };
}

function isUnschedulable({ status }: Pod): Trouble | undefined {
  const scheduled = status?.conditions?.find(({ type }) => type === "PodScheduled");
  if (scheduled?.status !== "False") return undefined;
  return {
    reason: scheduled.reason ?? "Unschedulable",
    message: clean(scheduled.message ?? "no node can run the pod"),
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
}): Trouble | undefined {
  if (reason === undefined || patience.has(reason)) return undefined;
  // The kubelet alternates between two reasons for one failure, and repeats itself in the second.
  const isPull = reason === "ErrImagePull" || reason === "ImagePullBackOff";
  const told = (message ?? "").replace(/^Back-off pulling image "[^"]*"(: ErrImagePull: )?/, "");
  return { reason: isPull ? "ErrImagePull" : reason, message: clean(told || "the container failed to start") };
}

function describeEnd({ exitCode, reason, message }: TerminatedContainer, hasJoined: boolean): Trouble {
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
