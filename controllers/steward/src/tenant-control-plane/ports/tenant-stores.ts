import type { EtcdTenant } from "@butler/etcd";
import type { CertificatePair } from "@butler/pki";
import type { StoreConnections } from "../../data-store/index.ts";

/** The operations of a control plane on its store. */
export interface TenantStores {
  /** Ensures that a tenant can access its own keys and no others. */
  ensure(dataStore: string, tenant: EtcdTenant, signal: AbortSignal): Promise<void>;
  /** Removes everything of a tenant; what does not exist is no error. */
  remove(dataStore: string, tenant: EtcdTenant, signal: AbortSignal): Promise<void>;
  /** The CA that signs the client certificates of a store, and its server certificate. */
  authority(dataStore: string, signal: AbortSignal): Promise<CertificatePair>;
}

/** The stores as they are reached over the connections that all share. */
export function createTenantStores(connections: Pick<StoreConnections, "admin" | "clientAuthority">): TenantStores {
  return {
    ensure: async (dataStore, tenant, signal) => {
      await (await connections.admin(dataStore, signal)).ensureTenant(tenant, signal);
    },
    remove: async (dataStore, tenant, signal) => {
      await (await connections.admin(dataStore, signal)).removeTenant(tenant, signal);
    },
    authority: (dataStore, signal) => connections.clientAuthority(dataStore, signal),
  };
}
