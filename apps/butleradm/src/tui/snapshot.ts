import type {
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
import type { DynamicObject } from "@butler/resource";

/** All displayed objects at one point in time. */
export interface Objects {
  readonly clusters: readonly TenantCluster[];
  readonly controlPlanes: readonly TenantControlPlane[];
  readonly dataStores: readonly DataStore[];
  readonly teams: readonly Team[];
  readonly pools: readonly NetworkPool[];
  readonly allocations: readonly IPAllocation[];
  readonly addons: readonly TenantAddon[];
  readonly managementAddons: readonly ManagementAddon[];
  readonly providers: readonly ProviderConfig[];
  readonly identityProviders: readonly IdentityProvider[];
  readonly events: readonly DynamicObject[];
  readonly deployments: readonly DynamicObject[];
  readonly segments: readonly AuditSegment[];
}

/** Names of the lists. */
export type SourceName = keyof Objects;

/** State of a list. */
export type SourceState =
  | { readonly state: "waiting" }
  | { readonly state: "live" }
  /** It was watched before, but is not now. */
  | { readonly state: "stale"; readonly why: string }
  /** The cluster does not serve this kind. */
  | { readonly state: "absent" }
  | { readonly state: "refused"; readonly why: string };

/** The objects, and the state of each list. */
export interface Snapshot extends Objects {
  readonly sources: Readonly<Record<SourceName, SourceState>>;
}

const names: readonly SourceName[] = [
  "clusters",
  "controlPlanes",
  "dataStores",
  "teams",
  "pools",
  "allocations",
  "addons",
  "managementAddons",
  "providers",
  "identityProviders",
  "events",
  "deployments",
  "segments",
];

/** The snapshot before anything is loaded. */
export const emptySnapshot: Snapshot = {
  ...(Object.fromEntries(names.map((name) => [name, []])) as unknown as Objects),
  sources: Object.fromEntries(names.map((name) => [name, { state: "waiting" }])) as unknown as Snapshot["sources"],
};
