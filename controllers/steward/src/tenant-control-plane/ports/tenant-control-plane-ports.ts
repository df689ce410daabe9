import type { EtcdTenant } from "@butler/etcd";
import type { CacheSet, KubeClient } from "@butler/kube";
import { type Clock, systemClock } from "@butler/std";
import { type StoreConnections, tenantIdentity } from "../../data-store/index.ts";
import { CleanedStores } from "./cleaned-stores.ts";
import { KeptTenants, type TenantReconciler } from "./kept-tenants.ts";
import { createSecretVault, type SecretVault } from "./secret-vault.ts";
import { createTenantStores, type TenantStores } from "./tenant-stores.ts";

/** Settings of Steward for all control planes. */
export interface StewardSettings {
  /** The default DataStore of control planes. */
  readonly defaultDataStore: string;
  /** The DNS domain of the management cluster. */
  readonly managementDomain: string;
  /** The port of Butler's SNI gateway, if not the default. */
  readonly sniGatewayPort?: number;
}

/** Everything that the controller uses besides its caches. */
export interface TenantControlPlanePorts {
  readonly settings: StewardSettings;
  readonly vault: SecretVault;
  readonly stores: TenantStores;
  readonly cleanedStores: CleanedStores;
  readonly tenants: KeptTenants;
  /** The identity of a control plane in its store, derived from its UID. */
  readonly identityOf: (uid: string) => EtcdTenant;
  readonly now: () => Date;
}

/** The default settings. */
export const defaultSettings: StewardSettings = { defaultDataStore: "default", managementDomain: "cluster.local" };

export interface PortsInput {
  readonly client: KubeClient;
  readonly caches: CacheSet;
  readonly connections: Pick<StoreConnections, "admin" | "clientAuthority">;
  readonly tenantSides: TenantReconciler;
  readonly settings?: Partial<StewardSettings>;
  readonly clock?: Clock;
}

/** The ports as they are in production. */
export function createTenantControlPlanePorts({
  client,
  caches,
  connections,
  tenantSides,
  settings = {},
  clock = systemClock,
}: PortsInput): TenantControlPlanePorts {
  return {
    settings: { ...defaultSettings, ...settings },
    vault: createSecretVault(client, caches),
    stores: createTenantStores(connections),
    cleanedStores: new CleanedStores(),
    tenants: new KeptTenants(tenantSides),
    identityOf: tenantIdentity,
    now: () => clock.now(),
  };
}
