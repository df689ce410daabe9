import {
  AuditSegment,
  DataStore,
  IdentityProvider,
  IPAllocation,
  ManagementAddon,
  NetworkPool,
  ProviderConfig,
  Team,
  TenantAddon,
  TenantCluster,
  TenantControlPlane,
} from "@butler/api";
import { builtinKinds } from "@butler/resource";

/** The lists of objects that the dashboard shows, by name. */
export const shownKinds = {
  clusters: TenantCluster,
  controlPlanes: TenantControlPlane,
  dataStores: DataStore,
  teams: Team,
  pools: NetworkPool,
  allocations: IPAllocation,
  addons: TenantAddon,
  managementAddons: ManagementAddon,
  providers: ProviderConfig,
  identityProviders: IdentityProvider,
  events: builtinKinds.Event,
  deployments: builtinKinds.Deployment,
  segments: AuditSegment,
} as const;

/** Names of the lists. */
export type SourceName = keyof typeof shownKinds;

/** The same names, as a list. */
export const sourceNames = Object.keys(shownKinds) as SourceName[];
