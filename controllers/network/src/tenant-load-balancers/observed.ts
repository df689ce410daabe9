import type { IPAllocation, NetworkPool, ProviderConfig, TenantCluster } from "@butler/api";
import type { ObjectKey } from "@butler/resource";
import type { Service } from "./kinds.ts";
import type { MetalLbView } from "./metallb.ts";

/** Everything that the decision about a tenant's load-balancer addresses is made from. */
export interface Observed {
  readonly cluster: TenantCluster;
  readonly provider: ProviderConfig;
  /** The pools of the provider that exist, in the order in which they are tried. */
  readonly pools: readonly NetworkPool[];
  /** Every claim for load-balancer addresses of the cluster, also those whose addresses only rest. */
  readonly claims: readonly IPAllocation[];
  /** The Secret with the kubeconfig that leads to the tenant. */
  readonly tenantKey: ObjectKey;
  /** Undefined while the tenant cannot be read: then nothing is known of what it uses. */
  readonly tenant: TenantView | undefined;
  /** How long Services may wait before the cluster gets more addresses. */
  readonly patienceMs: number;
}

/** What a tenant has, as it was at one moment. */
export interface TenantView {
  /** Its Services of type LoadBalancer. */
  readonly services: readonly Service[];
  /** Since when a Service without an address, by its uid, is known to have none; in milliseconds. */
  readonly waitingSince: ReadonlyMap<string, number>;
  /** Undefined when MetalLB is not there, or nobody needs it. */
  readonly metalLb: MetalLbView | undefined;
  /** True when it was read from the tenant just now, MetalLB's settings first: only then may addresses be given up. */
  readonly isFresh: boolean;
}

/** Whether Butler itself gives Services their addresses, because nothing in the tenant does. */
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

/** How a provider treats the load-balancer addresses of its tenants. */
export function settingsOf({ provider }: Pick<Observed, "provider">): LoadBalancerSettings {
  return provider.spec.network?.loadBalancer ?? usual;
}
