import type {
  AddonDefinition,
  ButlerConfig,
  IPAllocation,
  NetworkPool,
  ProviderConfig,
  StewardControlPlane,
  Team,
  TenantAddon,
  TenantCluster,
  TenantControlPlane,
} from "@butler/api";
import type { Cluster, Machine, MachineDeployment, MachineSet } from "@butler/api-external";
import type { KubeObject, ObjectKey } from "@butler/resource";

/** What a plan for a tenant cluster decides from. */
export interface Observed {
  readonly cluster: TenantCluster;
  readonly config: ButlerConfig | undefined;
  /** Undefined when the cluster names none, or one that is not there. */
  readonly team: Team | undefined;
  readonly provider: ObservedProvider;
  /** Whether the kinds of the provider can be stored; false while Cluster API's provider is not installed. */
  readonly isProviderServed: boolean;
  /** The cluster's own namespace. */
  readonly namespace: KubeObject | undefined;
  readonly capiCluster: Cluster | undefined;
  readonly controlPlane: StewardControlPlane | undefined;
  readonly tenantControlPlane: TenantControlPlane | undefined;
  readonly deployments: readonly MachineDeployment[];
  readonly machineSets: readonly MachineSet[];
  readonly machines: readonly Machine[];
  /** Machine and bootstrap templates, also those that no machine is made from any more. */
  readonly templates: readonly KubeObject[];
  readonly addons: readonly TenantAddon[];
  /** The catalogue. */
  readonly definitions: readonly AddonDefinition[];
  /** TenantAddons of other clusters with a name that one of this cluster's would have. */
  readonly namesakes: readonly TenantAddon[];
  /** Every claim for addresses of this cluster, also those whose addresses only rest. */
  readonly allocations: readonly IPAllocation[];
  /** The pools of the provider that exist, in the order in which they are tried. */
  readonly pools: readonly NetworkPool[];
}

/** Where machines come from. */
export interface ObservedProvider {
  /** Undefined when nobody names one. */
  readonly key: ObjectKey | undefined;
  readonly found: ProviderConfig | undefined;
  /** The texts of the credentials; undefined when they are named and not there. */
  readonly credentials: Readonly<Record<string, string>> | undefined;
}
