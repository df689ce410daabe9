import { forgetRevision } from "@butler/helm";
import type { KubeClient } from "@butler/kube";
import { builtinKinds, type ObjectMeta } from "@butler/resource";

/** Which release to look at, and from what age on its unfinished revisions are nobody's. */
export interface LeftoverSearch {
  readonly namespace: string;
  readonly release: string;
  readonly leftoverAfterMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Whether a revision, by the labels of the Secret in which Helm keeps it, was begun and will not be finished. Helm says
 * there when it last wrote it, in seconds.
 */
export function isLeftover({ labels = {} }: Pick<ObjectMeta, "labels">, nowMs: number, afterMs: number): boolean {
  const isPending = labels["status"]?.startsWith("pending-") ?? false;
  const writtenMs = Number(labels["modifiedAt"] ?? labels["createdAt"] ?? Number.NaN) * 1_000;
  return isPending && nowMs - writtenMs >= afterMs;
}

/**
 * Removes the records of revisions that a helm that was killed left unfinished, as they keep every later one from
 * beginning. The objects themselves stay; the next installation takes them up. Gives how many there were.
 */
export async function removeLeftovers(
  client: Pick<KubeClient, "list" | "delete">,
  { namespace, release, leftoverAfterMs, signal }: LeftoverSearch,
): Promise<number> {
  const labelSelector = `owner=helm,name=${release}`;
  const { items } = await client.list(builtinKinds.Secret, { namespace, labelSelector, metadataOnly: true, signal });
  const leftovers = items.filter(({ metadata }) => isLeftover(metadata, Date.now(), leftoverAfterMs));
  for (const { metadata } of leftovers) {
    const revision = Number(metadata.labels?.["version"]);
    await forgetRevision(client, { namespace, release, revision, signal });
  }
  return leftovers.length;
}
