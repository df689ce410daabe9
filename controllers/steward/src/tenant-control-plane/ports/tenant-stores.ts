import type { EtcdTenant } from "@butler/etcd";
import type { CertificatePair } from "@butler/pki";
import type { StoreConnections } from "../../data-store/index.ts";

/** The stores of control planes, as far as one control plane is concerned with them. */
export interface TenantStores {
  /** Makes sure that a tenant can use its keys and no others. */
  ensure(dataStore: string, tenant: EtcdTenant, signal: AbortSignal): Promise<void>;
  /** Removes everything of a tenant; what is gone already is no error. */
  remove(dataStore: string, tenant: EtcdTenant, signal: AbortSignal): Promise<void>;
  /** The authority that signs the certificates of a store's clients, and the one that its own comes from. */
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
