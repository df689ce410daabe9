/** Keys of labels that Butler sets on its objects or reads from them. */
export const labels = {
  /** The tool that manages an object; Butler writes `butler`. */
  managedBy: "app.kubernetes.io/managed-by",
  /** Team that owns the object. */
  team: "butler.butlerlabs.dev/team",
  /** Tenant cluster that the object belongs to. */
  tenant: "butler.butlerlabs.dev/tenant",
  /** Namespace of the object that this one was created for. */
  sourceNamespace: "butler.butlerlabs.dev/source-namespace",
  /** Name of the object that this one was created for. */
  sourceName: "butler.butlerlabs.dev/source-name",
  /** NetworkPool that addresses were allocated from. */
  networkPool: "butler.butlerlabs.dev/network-pool",
  /** ProviderConfig that the object was created with. */
  providerConfig: "butler.butlerlabs.dev/provider-config",
  /** Hash of the email address of a workspace's owner; the address itself is not a valid label value. */
  workspaceOwner: "butler.butlerlabs.dev/workspace-owner",
  /** Use of the addresses: one of `allocationTypes`. */
  allocationType: "butler.butlerlabs.dev/allocation-type",
  /** Why a cluster has an allocation: one of `allocationRoles`. */
  allocationRole: "butler.butlerlabs.dev/allocation-role",
  /** Schematic of an ImageSync, so that a second request finds the first one's image. */
  schematicId: "butler.butlerlabs.dev/schematic-id",
  /** Version of an ImageSync's image. */
  imageVersion: "butler.butlerlabs.dev/image-version",
  /** Processor architecture of an ImageSync's image. */
  imageArch: "butler.butlerlabs.dev/image-arch",
  /** Environment of a TenantCluster within its Team. */
  environment: "butler.butlerlabs.dev/environment",
  /** Marks the load balancer of a platform add-on, whose address does not count towards the tenant's usage. */
  platformLoadBalancer: "butler.butlerlabs.dev/platform-lb",
  /** `true` on the default TenantAddons of a cluster. */
  baseline: "butler.butlerlabs.dev/baseline",
  /** Process that created a revision of a Helm release. */
  helmRun: "butler.butlerlabs.dev/run",
  /** Source of an AddonDefinition; `builtin` for those that ship with Butler. */
  source: "butler.butlerlabs.dev/source",
} as const;

/** Keys of annotations that Butler sets on its objects or reads from them. */
export const annotations = {
  /** Human-readable description. */
  description: "butler.butlerlabs.dev/description",
  /** User or component that created the object. */
  createdBy: "butler.butlerlabs.dev/created-by",
  /** Email address of the user who requested a TenantCluster; must be the requesting user. */
  creatorEmail: "butler.butlerlabs.dev/creator-email",
  /** Email address of a TenantCluster's owner; used for limits per member. */
  owner: "butler.butlerlabs.dev/owner",
  /** `true` allows an update to move a TenantCluster to another environment. */
  migrationOperation: "butler.butlerlabs.dev/migration-operation",
  /** Origins of a TenantCluster's values at creation, as JSON. */
  valueOrigins: "butler.butlerlabs.dev/value-origins",
  /** `true` blocks the deletion of a TenantCluster until the annotation is removed. */
  deletionProtection: "butler.butlerlabs.dev/deletion-protection",
  /** `true` ends the wait for parts of a TenantCluster or an add-on that cannot be deleted; what is left is reported. */
  abandon: "butler.butlerlabs.dev/abandon",
  /** `true` on a Workspace requests an SSH address; removing the annotation releases it. */
  connect: "butler.butlerlabs.dev/connect",
  /** When a Workspace got its SSH address. */
  connectTime: "butler.butlerlabs.dev/connect-time",
  /** Time since which no Service has used any of an IPAllocation's addresses. */
  unusedSince: "butler.butlerlabs.dev/unused-since",
} as const;

/** Finalizers that keep an object until its dependents are deleted. */
export const finalizers = {
  /** Held until the namespace of the team is deleted. */
  team: "butler.butlerlabs.dev/team",
  /** Held until machines, control plane and addresses of the cluster are deleted. */
  tenantCluster: "butler.butlerlabs.dev/tenantcluster",
  /** Held until the Helm release is uninstalled. */
  tenantAddon: "butler.butlerlabs.dev/tenantaddon",
  /** Held until the Helm release of the management cluster is uninstalled. */
  managementAddon: "butler.butlerlabs.dev/managementaddon",
  /** Held until the password Secret is deleted. */
  user: "butler.butlerlabs.dev/user",
  /** Held while addresses of the pool are in use. */
  networkPool: "butler.butlerlabs.dev/networkpool",
  /** Held until the addresses are released. */
  ipAllocation: "butler.butlerlabs.dev/ipallocation",
  /** Held while clusters use the provider. */
  providerConfig: "butler.butlerlabs.dev/providerconfig",
  /** Held until pod, volume and Service in the tenant cluster are deleted. */
  workspace: "butler.butlerlabs.dev/workspace",
  /** Held until the upload has stopped. */
  imageSync: "butler.butlerlabs.dev/imagesync",
  /** Held until the provider's load balancer is deleted. */
  loadBalancerRequest: "butler.butlerlabs.dev/loadbalancerrequest",
} as const;

/** Why a cluster has an allocation of addresses. */
export const allocationRoles = {
  /** Initial allocation, or requested in the spec of the cluster; kept as long as the cluster exists. */
  initial: "initial",
  /** Added because Services were waiting for addresses; removed when it is no longer used. */
  growth: "growth",
} as const;

/** Values of the label `allocationType`. */
export const allocationTypes = {
  /** Addresses of Services of type LoadBalancer. */
  loadBalancer: "loadbalancer",
  /** Addresses of worker machines. */
  nodes: "nodes",
} as const;

/** Value of the label `managedBy` on all objects that Butler creates. */
export const managedByButler = "butler";

/** Value of the label `source` on the AddonDefinitions that Butler ships. */
export const builtinSource = "builtin";

/** Name of the one ButlerConfig. */
export const butlerConfigName = "butler";

/** Namespaces with a fixed name. */
export const namespaces = {
  /** Platform objects: shared ProviderConfigs, NetworkPools and WorkspaceTemplates, and Butler itself. */
  system: "butler-system",
  /** The ServiceAccounts of users' command lines. */
  cli: "butler-cli",
  /** The same for platform administrators: the group of these accounts may read credentials of providers. */
  cliAdmins: "butler-cli-admins",
  /** Clusters without a Team, unless ButlerConfig names another namespace. */
  tenants: "butler-tenants",
  /** Workspaces, inside each tenant cluster. */
  workspaces: "workspaces",
} as const;

/** Keys of the Secrets that users create for Butler. */
export const secretKeys = {
  /** Harvester: a kubeconfig. */
  kubeconfig: "kubeconfig",
  /** Nutanix, Proxmox, Bitbucket and chart repositories: the account. */
  username: "username",
  /** Chart repositories: CA certificates. */
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
  /** OpenID Connect: the client secret. */
  clientSecret: "client-secret",
  /** Google Workspace: the JSON key of the account that reads groups. */
  serviceAccountJson: "service-account.json",
} as const;
