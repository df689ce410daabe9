import { ignoreNotFound } from "@butler/std";
import type { KubeClient } from "@butler/kube";
import { builtinKinds } from "@butler/resource";
import { eventually } from "./eventually.ts";

/** Deletes a namespace and waits until everything in it is deleted. */
export async function removeNamespace(client: KubeClient, name: string): Promise<void> {
  await client.delete(builtinKinds.Namespace, { name }).catch(ignoreNotFound);
  const isGone = async (): Promise<boolean> => (await client.find(builtinKinds.Namespace, { name })) === undefined;
  await eventually(isGone, { timeoutMs: 120_000, intervalMs: 250, what: `the end of the namespace ${name}` });
}
