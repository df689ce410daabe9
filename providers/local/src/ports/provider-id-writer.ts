import { LocalMachine } from "@butler/api";
import type { KubeClient } from "@butler/kube";
import type { ObjectKey } from "@butler/resource";
import { ignoreNotFound } from "@butler/std";

/** The exact machine, not a later one of the same name, and its provider ID. */
export interface ProviderIdAssignment extends ObjectKey {
  readonly uid: string | undefined;
  readonly providerID: string;
}

/** Sets spec.providerID of a machine. Setting the same value again changes nothing. */
export type ProviderIdWriter = (assignment: ProviderIdAssignment, signal: AbortSignal) => Promise<void>;

/** Writes through the API. A deleted machine needs no provider ID. */
export function createProviderIdWriter(client: KubeClient): ProviderIdWriter {
  return async ({ name, namespace, uid, providerID }, signal) => {
    const patch = { metadata: { uid }, spec: { providerID } };
    await client.patch(LocalMachine, { name, namespace }, { type: "merge", patch, signal }).catch(ignoreNotFound);
  };
}
