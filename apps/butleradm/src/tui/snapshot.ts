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

/** Everything that is shown, as it was at one moment. */
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

/** Which lists there are. */
export type SourceName = keyof Objects;

/** How it stands with one list. */
export type SourceState =
  | { readonly state: "waiting" }
  | { readonly state: "live" }
  /** It was followed once, and is not now. */
  | { readonly state: "stale"; readonly why: string }
  /** The cluster does not have this kind. */
  | { readonly state: "absent" }
  | { readonly state: "refused"; readonly why: string };

/** The objects, and how it stands with each list. */
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

/** What is known before anything is. */
export const emptySnapshot: Snapshot = {
  ...(Object.fromEntries(names.map((name) => [name, []])) as unknown as Objects),
  sources: Object.fromEntries(names.map((name) => [name, { state: "waiting" }])) as unknown as Snapshot["sources"],
};
