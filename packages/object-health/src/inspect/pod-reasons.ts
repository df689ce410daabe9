import type { KubeClient } from "@butler/kube";
import { builtinKinds, isBeingDeleted, type KubeObject } from "@butler/resource";
import { groupOf } from "../objects/fields.ts";
import { podMessage, podReadiness } from "../objects/pod.ts";
import { podSelectorOf } from "./label-selector.ts";
import { newestWarning } from "./warnings.ts";

/** Enough to find a failing pod; in a workload of thousands the same failure repeats. */
const mostPods = 100;

const kindsWithPods: ReadonlySet<string> = new Set([
  "apps/Deployment",
  "apps/ReplicaSet",
  "apps/StatefulSet",
  "apps/DaemonSet",
  "batch/Job",
]);

/** Whether the pods of an object of this kind can explain why it is not ready. */
export function hasPods(object: KubeObject): boolean {
  return kindsWithPods.has(`${groupOf(object)}/${object.kind}`);
}

/** Why a workload is not ready, from its pods or their events; undefined when no reason is found. */
export async function podReason(
  client: Pick<KubeClient, "list">,
  workload: KubeObject,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const labelSelector = podSelectorOf(workload);
  if (labelSelector === undefined) return undefined;
  const { namespace } = workload.metadata;
  const { items } = await client.list(builtinKinds.Pod, { namespace, labelSelector, limit: mostPods, signal });
  const told = tellingReason(items);
  if (told !== undefined) return told;
  // Only events report a volume that cannot be mounted, a failing probe and pods that are rejected.
  const present = items.filter((pod) => !isBeingDeleted(pod));
  const suspect = present.length === 0 ? workload : newest(present.filter(isWaiting));
  const warning = suspect === undefined ? undefined : await newestWarning(client, suspect, signal);
  if (suspect === undefined || warning === undefined) return undefined;
  return suspect === workload ? warning : `pod ${suspect.metadata.name}: ${warning}`;
}

/** The reason of the newest failing pod: older ones may belong to a template that is being replaced. */
export function tellingReason(pods: readonly KubeObject[]): string | undefined {
  const isBlocked = (pod: KubeObject): boolean =>
    !isBeingDeleted(pod) && isWaiting(pod) && podMessage(pod) !== undefined;
  const found = newest(pods.filter(isBlocked));
  const message = found === undefined ? undefined : podMessage(found);
  if (found === undefined || message === undefined) return undefined;
  const { name } = found.metadata;
  return message.startsWith("container ") ? `pod ${name}: ${message}` : `pod ${name} ${message}`;
}

const isWaiting = (pod: KubeObject): boolean => podReadiness(pod).state !== "ready";

function newest(objects: readonly KubeObject[]): KubeObject | undefined {
  const createdAt = ({ metadata }: KubeObject): string => metadata.creationTimestamp ?? "";
  return objects.toSorted((left, right) => (createdAt(left) < createdAt(right) ? 1 : -1))[0];
}
