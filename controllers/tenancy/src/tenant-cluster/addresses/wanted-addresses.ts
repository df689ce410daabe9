import type { AddressWish, ProviderConfig, TenantCluster } from "@butler/api";

type Network = NonNullable<ProviderConfig["spec"]["network"]>;

/** The load balancer addresses that a cluster gets up front, before any Service requests one. */
export type WantedAddresses = { readonly kind: "none"; readonly why: string } | AddressWish;

const staticBlock = 8;

/** The addresses that a cluster requests; when unset, the provider's settings apply. */
export function wantedAddresses({ spec }: TenantCluster, network: Network | undefined): WantedAddresses {
  if (network?.mode !== "ipam") return { kind: "none", why: "addresses are managed by the provider" };
  const { loadBalancerPool, lbPoolSize } = spec.networking ?? {};
  if (loadBalancerPool !== undefined) {
    return { kind: "pinned", startAddress: loadBalancerPool.start, endAddress: loadBalancerPool.end };
  }
  const asked = lbPoolSize ?? providersChoice(spec, network.loadBalancer);
  if (asked === 0) return { kind: "none", why: "addresses are allocated when a Service requests one" };
  const { maxLoadBalancerIPs = asked } = network.quotaPerTenant ?? {};
  return { kind: "block", count: Math.min(asked, maxLoadBalancerIPs) };
}

function providersChoice({ addons }: TenantCluster["spec"], loadBalancer: Network["loadBalancer"]): number {
  if (loadBalancer === undefined) return staticBlock;
  if (loadBalancer.allocationMode === "static") return loadBalancer.defaultPoolSize;
  // Without an ingress controller there may never be a load balancer; addresses are allocated with the first one.
  return addons?.ingress?.enabled === false ? 0 : loadBalancer.initialPoolSize;
}
