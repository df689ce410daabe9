import { LocalMachine } from "@butler/api";
import type { KubeClient } from "@butler/kube";
import type { ObjectKey } from "@butler/resource";
import { NotFound } from "@butler/std";

/** The very machine, not a namesake made since, and the identity that it gets. */
export interface ProviderIdAssignment extends ObjectKey {
  readonly uid: string | undefined;
  readonly providerID: string;
}

/** Writes a machine's identity into its spec. Writing the same again changes nothing. */
export type ProviderIdWriter = (assignment: ProviderIdAssignment, signal: AbortSignal) => Promise<void>;

/** Writes through the API. A machine that is gone needs no identity. */
export function createProviderIdWriter(client: KubeClient): ProviderIdWriter {
  return async ({ name, namespace, uid, providerID }, signal) => {
    const patch = { metadata: { uid }, spec: { providerID } };
    try {
      await client.patch(LocalMachine, { name, namespace }, { type: "merge", patch, signal });
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
    }
  };
}
