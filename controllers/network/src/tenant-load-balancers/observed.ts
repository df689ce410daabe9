import type { IPAllocation, NetworkPool, ProviderConfig, TenantCluster } from "@butler/api";
import type { ObjectKey } from "@butler/resource";
import type { Service } from "./kinds.ts";
import type { MetalLbView } from "./metallb.ts";

/** Inputs of the decision about a tenant's load balancer addresses. */
export interface Observed {
  readonly cluster: TenantCluster;
  readonly provider: ProviderConfig;
  /** The pools of the provider that exist, in the order in which they are tried. */
  readonly pools: readonly NetworkPool[];
  /** All claims for load balancer addresses of the cluster, including those in quarantine. */
  readonly claims: readonly IPAllocation[];
  /** The Secret with the tenant's kubeconfig. */
  readonly tenantKey: ObjectKey;
  /** Undefined while the tenant cannot be read. */
  readonly tenant: TenantView | undefined;
  /** How long Services may wait before the cluster gets more addresses. */
  readonly patienceMs: number;
}

/** State of a tenant at one point in time. */
export interface TenantView {
  /** Its Services of type LoadBalancer. */
  readonly services: readonly Service[];
  /** Since when a Service, by UID, has been without an address, in milliseconds. */
  readonly waitingSince: ReadonlyMap<string, number>;
  /** Undefined if MetalLB is not installed or not needed. */
  readonly metalLb: MetalLbView | undefined;
  /** True if freshly read from the tenant, MetalLB's settings first. Required before addresses are removed. */
  readonly isFresh: boolean;
}

/** Whether Butler itself assigns addresses to Services, because nothing in the tenant does. */
export function servesItself({ provider }: Pick<Observed, "provider">): boolean {
  return provider.spec.provider === "local";
}

type LoadBalancerSettings = NonNullable<NonNullable<ProviderConfig["spec"]["network"]>["loadBalancer"]>;

const usual: LoadBalancerSettings = {
  allocationMode: "static",
  defaultPoolSize: 8,
  initialPoolSize: 2,
  growthIncrement: 2,
  shrinkAfter: "10m",
};

/** Load balancer settings of a provider. */
export function settingsOf({ provider }: Pick<Observed, "provider">): LoadBalancerSettings {
  return provider.spec.network?.loadBalancer ?? usual;
}
