import { forgetRevision } from "@butler/helm";
import type { KubeClient } from "@butler/kube";
import { builtinKinds, type ObjectMeta } from "@butler/resource";

/** Which release to check, and the age from which its unfinished revisions count as abandoned. */
export interface LeftoverSearch {
  readonly namespace: string;
  readonly release: string;
  readonly leftoverAfterMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Whether a revision, according to the labels of Helm's Secret, was started and will not be finished. Helm records the
 * time of its last write there, in seconds.
 */
export function isLeftover({ labels = {} }: Pick<ObjectMeta, "labels">, nowMs: number, afterMs: number): boolean {
  const isPending = labels["status"]?.startsWith("pending-") ?? false;
  const writtenMs = Number(labels["modifiedAt"] ?? labels["createdAt"] ?? Number.NaN) * 1_000;
  return isPending && nowMs - writtenMs >= afterMs;
}

/**
 * Deletes the records of revisions that a killed helm left unfinished, because they block later ones. The objects
 * themselves are kept; the next installation adopts them. Returns the number of deleted records.
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
