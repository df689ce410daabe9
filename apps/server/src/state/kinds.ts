import {
  AddonDefinition,
  AuditSegment,
  ButlerConfig,
  ClusterCreationPolicy,
  DataStore,
  IdentityProvider,
  IPAllocation,
  NetworkPool,
  ProviderConfig,
  Team,
  TenantAddon,
  TenantCluster,
  TenantControlPlane,
  User,
} from "@butler/api";

/** The kinds that the server caches, by the name of their list. Its permission to read them follows from this. */
export const cachedKinds = {
  clusters: TenantCluster,
  addons: TenantAddon,
  definitions: AddonDefinition,
  teams: Team,
  users: User,
  providers: ProviderConfig,
  pools: NetworkPool,
  allocations: IPAllocation,
  identityProviders: IdentityProvider,
  configs: ButlerConfig,
  policies: ClusterCreationPolicy,
  controlPlanes: TenantControlPlane,
  dataStores: DataStore,
  auditSegments: AuditSegment,
} as const;

/** The names of the lists. */
export type CachedName = keyof typeof cachedKinds;
