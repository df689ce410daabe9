import type {
  AddonDefinition,
  ButlerConfig,
  ClusterCreationPolicy,
  MachineTemplate,
  ProviderConfig,
  ProviderType,
  Team,
  TenantAddon,
  TenantCluster,
} from "@butler/api";
import type { ObjectKey } from "@butler/resource";

/** The operating systems that machines can run on each kind of infrastructure; what is not named is unsupported. */
export type SupportedSystems = Readonly<Partial<Record<ProviderType, readonly MachineTemplate["os"]["type"][]>>>;

/** What is known of the platform when a cluster is judged, read from the API server at that moment. */
export interface TenantClusterFacts {
  readonly config: ButlerConfig | undefined;
  /** The team that the cluster names, or in whose namespace it is. */
  readonly team: Team | undefined;
  /** The ProviderConfig that decides: the cluster's, its team's, or the platform's. */
  readonly providerKey: ObjectKey | undefined;
  readonly provider: ProviderConfig | undefined;
  readonly policies: readonly ClusterCreationPolicy[];
  /** The cluster's add-ons; looked up only for a change of its version. */
  readonly addons: readonly TenantAddon[];
  /** The catalogue; looked up only for a change of the cluster's version. */
  readonly definitions: readonly AddonDefinition[];
}

/** Who asks. */
export interface ClusterRequester {
  readonly username: string;
  /** One of Butler's own programs, which acts for others. */
  readonly isTrusted: boolean;
  /** Known only where it matters. */
  readonly isPlatformAdmin?: boolean | undefined;
}

/** Everything that a judgement about a cluster is made from. */
export interface TenantClusterInput {
  /** The cluster as it would become. */
  readonly cluster: TenantCluster;
  /** The cluster as it is; undefined when it is new. */
  readonly before: TenantCluster | undefined;
  readonly requester: ClusterRequester;
  readonly facts: TenantClusterFacts;
  readonly supportedSystems: SupportedSystems;
}
