import type { KubeClient } from "@butler/kube";
import { builtinKinds, isBeingDeleted, type KubeObject } from "@butler/resource";
import { groupOf } from "../objects/fields.ts";
import { podReadiness, podTrouble } from "../objects/pod.ts";
import { podSelectorOf } from "./label-selector.ts";
import { newestWarning } from "./warnings.ts";

/** Enough to find a pod in trouble; a workload of thousands has the same trouble many times. */
const mostPods = 100;

const kindsWithPods: ReadonlySet<string> = new Set([
  "apps/Deployment",
  "apps/ReplicaSet",
  "apps/StatefulSet",
  "apps/DaemonSet",
  "batch/Job",
]);

/** Whether pods can tell why an object of this kind is not ready. */
export function hasPods(object: KubeObject): boolean {
  return kindsWithPods.has(`${groupOf(object)}/${object.kind}`);
}

/** Why a workload is not ready, told by its pods or by what has been noted of them; undefined when nothing is known. */
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
  // A volume that cannot be mounted, a probe that fails and pods that may not be made are told by events alone.
  const present = items.filter((pod) => !isBeingDeleted(pod));
  const suspect = present.length === 0 ? workload : newest(present.filter(isWaiting));
  const warning = suspect === undefined ? undefined : await newestWarning(client, suspect, signal);
  if (suspect === undefined || warning === undefined) return undefined;
  return suspect === workload ? warning : `in pod ${suspect.metadata.name} ${warning}`;
}

/** The reason of the newest pod that is in trouble: older ones may be of a template that is on its way out. */
export function tellingReason(pods: readonly KubeObject[]): string | undefined {
  const inTrouble = (pod: KubeObject): boolean =>
    !isBeingDeleted(pod) && isWaiting(pod) && podTrouble(pod) !== undefined;
  const found = newest(pods.filter(inTrouble));
  const trouble = found === undefined ? undefined : podTrouble(found);
  if (found === undefined || trouble === undefined) return undefined;
  const { name } = found.metadata;
  return trouble.startsWith("it ") ? `pod ${name} ${trouble.slice(3)}` : `in pod ${name} ${trouble}`;
}

const isWaiting = (pod: KubeObject): boolean => podReadiness(pod).state !== "ready";

function newest(objects: readonly KubeObject[]): KubeObject | undefined {
  const createdAt = ({ metadata }: KubeObject): string => metadata.creationTimestamp ?? "";
  return objects.toSorted((left, right) => (createdAt(left) < createdAt(right) ? 1 : -1))[0];
}
