import { type KubeClient, listAll, type ObjectFor } from "@butler/kube";
import type { Kind } from "@butler/resource";
import { NotFound } from "@butler/std";

/** Every object of a kind; none when the kind is not installed. */
export async function listServed<K extends Kind>(
  client: Pick<KubeClient, "list">,
  kind: K,
  options: { readonly namespace?: string | undefined; readonly signal: AbortSignal },
): Promise<ObjectFor<K>[]> {
  const found: ObjectFor<K>[] = [];
  try {
    for await (const each of listAll(client, kind, options)) found.push(each);
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
  }
  return found;
}
