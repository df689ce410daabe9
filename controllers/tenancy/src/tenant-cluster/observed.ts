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

/** The input of the plan for a tenant cluster. */
export interface Observed {
  readonly cluster: TenantCluster;
  readonly config: ButlerConfig | undefined;
  /** Undefined when the cluster refers to none, or to one that does not exist. */
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
  /** Machine and bootstrap templates, including those that no machine uses. */
  readonly templates: readonly KubeObject[];
  readonly addons: readonly TenantAddon[];
  /** The catalog. */
  readonly definitions: readonly AddonDefinition[];
  /** TenantAddons of other clusters whose name clashes with one of this cluster's. */
  readonly namesakes: readonly TenantAddon[];
  /** Every address claim of this cluster, including released ones in quarantine. */
  readonly allocations: readonly IPAllocation[];
  /** The pools of the provider that exist, in the order in which they are tried. */
  readonly pools: readonly NetworkPool[];
}

/** The provider of the machines. */
export interface ObservedProvider {
  /** Undefined when no ProviderConfig is set. */
  readonly key: ObjectKey | undefined;
  readonly found: ProviderConfig | undefined;
  /** The texts of the credentials; undefined when the referenced Secret does not exist. */
  readonly credentials: Readonly<Record<string, string>> | undefined;
}
