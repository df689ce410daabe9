/**
 * Connections to the API servers of tenants, for everything that talks to tenants: cached, rebuilt when a kubeconfig
 * changes, failed fast while a tenant is unreachable, and restored automatically.
 */
export { Following, type FollowOptions } from "./following.ts";
export {
  GivenKubeconfigs,
  type KubeconfigSource,
  secretKubeconfigs,
  type SecretKubeconfigsOptions,
} from "./kubeconfig-source.ts";
export { type Tenant, TenantClients, type TenantClientsOptions } from "./tenant-clients.ts";
export type { TenantEvent, TenantListener } from "./tenant-event.ts";
export { TenantUnreachable } from "./tenant-unreachable.ts";
