import type { Kind, KubeObject, ObjectKey } from "@butler/resource";
import { Bug } from "@butler/std";
import type { TenantClients } from "@butler/tenant-clients";

/** Objects for a tenant's cluster, and the Secret with its kubeconfig. */
export interface TenantObjects {
  readonly kubeconfig: ObjectKey;
  readonly kinds: readonly Kind[];
  readonly objects: readonly KubeObject[];
}

/** Applies objects to a tenant's cluster. */
export type TenantWriter = (write: TenantObjects, signal: AbortSignal) => Promise<void>;

/** The field manager of the provider. */
export const fieldManager = "butler-local-provider";
const limitMs = 10_000;

/** Writes through the tenant's own API server. */
export function createTenantWriter(tenants: Pick<TenantClients, "clientFor">): TenantWriter {
  return async ({ kubeconfig, kinds, objects }, signal) => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
    const client = await tenants.clientFor(kubeconfig, limit);
    for (const object of objects) {
      const kind = kinds.find((each) => each.kind === object.kind);
      if (kind === undefined) throw new Bug(`missing kind definition for ${object.kind}`);
      await client.apply(kind, object, { fieldManager, signal: limit });
    }
  };
}
