/** Keys of labels that Butler sets on its objects or reads from them. */
export const labels = {
  /** The tool that manages an object; Butler writes `butler`. */
  managedBy: "app.kubernetes.io/managed-by",
  /** Team that owns the object. */
  team: "butler.butlerlabs.dev/team",
  /** Tenant cluster that the object belongs to. */
  tenant: "butler.butlerlabs.dev/tenant",
  /** Namespace of the object that this one was made for. */
  sourceNamespace: "butler.butlerlabs.dev/source-namespace",
  /** Name of the object that this one was made for. */
  sourceName: "butler.butlerlabs.dev/source-name",
  /** NetworkPool that addresses were taken from. */
  networkPool: "butler.butlerlabs.dev/network-pool",
  /** ProviderConfig that the object was made with. */
  providerConfig: "butler.butlerlabs.dev/provider-config",
  /** Hash of the e-mail address of a workspace's owner; the address itself is no valid label value. */
  workspaceOwner: "butler.butlerlabs.dev/workspace-owner",
  /** What addresses are for: one of `allocationTypes`. */
  allocationType: "butler.butlerlabs.dev/allocation-type",
  /** Why a cluster has an allocation: one of `allocationRoles`. */
  allocationRole: "butler.butlerlabs.dev/allocation-role",
  /** Schematic of an ImageSync, so that a second request finds the first one's image. */
  schematicId: "butler.butlerlabs.dev/schematic-id",
  /** Version of an ImageSync's image. */
  imageVersion: "butler.butlerlabs.dev/image-version",
  /** Processor architecture of an ImageSync's image. */
  imageArch: "butler.butlerlabs.dev/image-arch",
  /** Environment of its Team that a TenantCluster is in. */
  environment: "butler.butlerlabs.dev/environment",
  /** Marks the load balancer of a platform add-on, whose address does not count as the tenant's use. */
  platformLoadBalancer: "butler.butlerlabs.dev/platform-lb",
  /** `true` on a TenantAddon that a cluster was made with. */
  baseline: "butler.butlerlabs.dev/baseline",
  /** Which process made a revision of a Helm release. */
  helmRun: "butler.butlerlabs.dev/run",
  /** Where an AddonDefinition comes from; `builtin` for those that Butler ships. */
  source: "butler.butlerlabs.dev/source",
} as const;

/** Keys of annotations that Butler sets on its objects or reads from them. */
export const annotations = {
  /** Text for people. */
  description: "butler.butlerlabs.dev/description",
  /** Who or what made the object. */
  createdBy: "butler.butlerlabs.dev/created-by",
  /** E-mail address of the person who asked for a TenantCluster; must be the person that makes the request. */
  creatorEmail: "butler.butlerlabs.dev/creator-email",
  /** E-mail address of a TenantCluster's owner, by which limits per member are counted. */
  owner: "butler.butlerlabs.dev/owner",
  /** `true` allows an update to move a TenantCluster to another environment. */
  migrationOperation: "butler.butlerlabs.dev/migration-operation",
  /** Which values of a TenantCluster came from where when it was made, as JSON. */
  valueOrigins: "butler.butlerlabs.dev/value-origins",
  /** `true` refuses the deletion of a TenantCluster until the annotation is gone. */
  deletionProtection: "butler.butlerlabs.dev/deletion-protection",
  /** `true` lets a TenantCluster go that cannot be cleaned up; what is left is reported. */
  abandon: "butler.butlerlabs.dev/abandon",
  /** `true` on a Workspace asks for its SSH address; removing the annotation gives the address back. */
  connect: "butler.butlerlabs.dev/connect",
  /** When a Workspace got its SSH address. */
  connectTime: "butler.butlerlabs.dev/connect-time",
  /** Since when no Service uses any of an IPAllocation's addresses. */
  unusedSince: "butler.butlerlabs.dev/unused-since",
} as const;

/** Finalizers by which Butler keeps an object until what belongs to it is gone. */
export const finalizers = {
  /** Held until the namespace of the team is gone. */
  team: "butler.butlerlabs.dev/team",
  /** Held until machines, control plane and addresses of the cluster are gone. */
  tenantCluster: "butler.butlerlabs.dev/tenantcluster",
  /** Held until the Helm release is uninstalled. */
  tenantAddon: "butler.butlerlabs.dev/tenantaddon",
  /** Held until the Helm release of the management cluster is uninstalled. */
  managementAddon: "butler.butlerlabs.dev/managementaddon",
  /** Held until the password Secret is gone. */
  user: "butler.butlerlabs.dev/user",
  /** Held while addresses of the pool are in use. */
  networkPool: "butler.butlerlabs.dev/networkpool",
  /** Held until the addresses are given back. */
  ipAllocation: "butler.butlerlabs.dev/ipallocation",
  /** Held while clusters use the provider. */
  providerConfig: "butler.butlerlabs.dev/providerconfig",
  /** Held until pod, volume and Service in the tenant cluster are gone. */
  workspace: "butler.butlerlabs.dev/workspace",
  /** Held until the upload has stopped. */
  imageSync: "butler.butlerlabs.dev/imagesync",
  /** Held until the provider's load balancer is gone. */
  loadBalancerRequest: "butler.butlerlabs.dev/loadbalancerrequest",
} as const;

/** Why a cluster has an allocation of addresses. */
export const allocationRoles = {
  /** What the cluster was made with, or asks for in its spec; it stays as long as the cluster does. */
  initial: "initial",
  /** What was added because Services waited for addresses; it goes when nothing uses it any more. */
  growth: "growth",
} as const;

/** Values of the label `allocationType`. */
export const allocationTypes = {
  /** Addresses of Services of type LoadBalancer. */
  loadBalancer: "loadbalancer",
  /** Addresses of worker machines. */
  nodes: "nodes",
} as const;

/** Value of the label `managedBy` on everything that Butler makes. */
export const managedByButler = "butler";

/** Value of the label `source` on the AddonDefinitions that Butler ships. */
export const builtinSource = "builtin";

/** Name of the one ButlerConfig. */
export const butlerConfigName = "butler";

/** Namespaces with a fixed name. */
export const namespaces = {
  /** Platform objects: shared ProviderConfigs, NetworkPools and WorkspaceTemplates, and Butler itself. */
  system: "butler-system",
  /** Clusters without a Team, unless ButlerConfig names another namespace. */
  tenants: "butler-tenants",
  /** Workspaces, inside each tenant cluster. */
  workspaces: "workspaces",
} as const;

/** Keys of the Secrets that people write for Butler. */
export const secretKeys = {
  /** Harvester: a kubeconfig. */
  kubeconfig: "kubeconfig",
  /** Nutanix, Proxmox, Bitbucket and chart repositories: the account. */
  username: "username",
  /** Chart repositories: certificates of the authority that vouches for them. */
  certificateAuthority: "ca.crt",
  /** Nutanix, Proxmox and chart repositories: the password. */
  password: "password",
  /** GitHub, GitLab and Proxmox: an API token. */
  token: "token",
  /** GCP: the JSON key of a service account. */
  serviceAccountKey: "serviceAccountKey",
  /** Bitbucket: an app password. */
  appPassword: "app-password",
  /** Image Factory: the API key. */
  apiKey: "apiKey",
  /** OpenID Connect: the client's secret. */
  clientSecret: "client-secret",
  /** Google Workspace: the JSON key of the account that reads groups. */
  serviceAccountJson: "service-account.json",
} as const;
