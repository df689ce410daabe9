import type {
  AddonDefinition,
  ButlerConfig,
  ClusterCreationPolicy,
  DataStore,
  ProviderConfig,
  Team,
  TenantAddon,
  TenantCluster,
} from "@butler/api";
import type { SupportedSystems } from "@butler/provider";
import type { ObjectKey } from "@butler/resource";

/** Facts about the platform for validating a cluster, read from the API server during the request. */
export interface TenantClusterFacts {
  readonly config: ButlerConfig | undefined;
  /** The team that the cluster refers to, or in whose namespace it is. */
  readonly team: Team | undefined;
  /** The effective ProviderConfig: the cluster's, its team's, or the platform's. */
  readonly providerKey: ObjectKey | undefined;
  readonly provider: ProviderConfig | undefined;
  readonly policies: readonly ClusterCreationPolicy[];
  /** The DataStore that a new cluster names, if it exists. */
  readonly dataStore: DataStore | undefined;
  /** The cluster's add-ons; read only for a change of its version. */
  readonly addons: readonly TenantAddon[];
  /** The catalog; read only for a change of the cluster's version. */
  readonly definitions: readonly AddonDefinition[];
}

/** The user who sent the request. */
export interface ClusterRequester {
  readonly username: string;
  /** One of Butler's own components, which acts for users. */
  readonly isTrusted: boolean;
  /** Set only where it matters. */
  readonly isPlatformAdmin?: boolean | undefined;
}

/** The input for validating a cluster. */
export interface TenantClusterInput {
  /** The new cluster. */
  readonly cluster: TenantCluster;
  /** The old cluster; undefined on create. */
  readonly before: TenantCluster | undefined;
  readonly requester: ClusterRequester;
  readonly facts: TenantClusterFacts;
  readonly supportedSystems: SupportedSystems;
}
