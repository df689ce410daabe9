import type { EtcdTenant } from "@butler/etcd";
import type { CacheSet, KubeClient } from "@butler/kube";
import { type Clock, systemClock } from "@butler/std";
import { type StoreConnections, tenantIdentity } from "../../data-store/index.ts";
import { CleanedStores } from "./cleaned-stores.ts";
import { KeptTenants, type TenantKeeper } from "./kept-tenants.ts";
import { createSecretVault, type SecretVault } from "./secret-vault.ts";
import { createTenantStores, type TenantStores } from "./tenant-stores.ts";

/** What is said to Steward once, for all control planes. */
export interface StewardSettings {
  /** The DataStore of control planes that name none. */
  readonly defaultDataStore: string;
  /** The DNS domain of the management cluster. */
  readonly managementDomain: string;
  /** The port of Butler's own SNI gateway, where it is not the usual one. */
  readonly sniGatewayPort?: number;
}

/** Everything outside its caches that the controller of control planes works with. */
export interface TenantControlPlanePorts {
  readonly settings: StewardSettings;
  readonly vault: SecretVault;
  readonly stores: TenantStores;
  readonly cleanedStores: CleanedStores;
  readonly tenants: KeptTenants;
  /** Who a control plane is in its store, by its uid alone. */
  readonly identityOf: (uid: string) => EtcdTenant;
  readonly now: () => Date;
}

/** The settings when nobody says otherwise. */
export const defaultSettings: StewardSettings = { defaultDataStore: "default", managementDomain: "cluster.local" };

export interface PortsInput {
  readonly client: KubeClient;
  readonly caches: CacheSet;
  readonly connections: Pick<StoreConnections, "admin" | "clientAuthority">;
  readonly tenantSides: TenantKeeper;
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
