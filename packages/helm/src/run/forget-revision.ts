import type { KubeClient } from "@butler/kube";
import { builtinKinds } from "@butler/resource";
import { Conflict, NotFound } from "@butler/std";

/** A revision of a release. */
export interface RevisionName {
  readonly namespace: string;
  readonly release: string;
  readonly revision: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Removes Helm's record of a pending revision that will not be finished, because it blocks every later one. The objects
 * stay; the next operation adopts them. Returns whether the record existed. Throws Conflict when the revision has finished
 * meanwhile, or is being uninstalled: that record is needed.
 */
export async function forgetRevision(
  client: Pick<KubeClient, "list" | "delete">,
  { namespace, release, revision, signal }: RevisionName,
): Promise<boolean> {
  const selection = { labelSelector: `owner=helm,name=${release},version=${revision}`, metadataOnly: true };
  const { items } = await client.list(builtinKinds.Secret, { namespace, ...selection, signal });
  const [found] = items;
  if (found === undefined) return false;
  const { name, uid, resourceVersion, labels = {} } = found.metadata;
  if (!labels["status"]?.startsWith("pending-")) {
    throw new Conflict(`revision ${revision} of ${release} in ${namespace} is ${labels["status"]}, not pending`, {
      hint: "Reload the release and retry.",
    });
  }
  try {
    await client.delete(builtinKinds.Secret, { name, namespace }, { uid, resourceVersion, signal });
    return true;
  } catch (error) {
    if (error instanceof NotFound) return false;
    throw error;
  }
}
