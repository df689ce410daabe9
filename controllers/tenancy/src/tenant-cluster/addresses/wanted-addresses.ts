import type { AddressWish, ProviderConfig, TenantCluster } from "@butler/api";

type Network = NonNullable<ProviderConfig["spec"]["network"]>;

/** The load-balancer addresses that a cluster is to have of its own accord, before any Service waits for one. */
export type WantedAddresses = { readonly kind: "none"; readonly why: string } | AddressWish;

const staticBlock = 8;

/** Reads what a cluster asks for; where it says nothing the provider's settings do. */
export function wantedAddresses({ spec }: TenantCluster, network: Network | undefined): WantedAddresses {
  if (network?.mode !== "ipam") return { kind: "none", why: "addresses are the provider's" };
  const { loadBalancerPool, lbPoolSize } = spec.networking ?? {};
  if (loadBalancerPool !== undefined) {
    return { kind: "pinned", startAddress: loadBalancerPool.start, endAddress: loadBalancerPool.end };
  }
  const asked = lbPoolSize ?? providersChoice(spec, network.loadBalancer);
  if (asked === 0) return { kind: "none", why: "addresses are taken when a Service asks for one" };
  const { maxLoadBalancerIPs = asked } = network.quotaPerTenant ?? {};
  return { kind: "block", count: Math.min(asked, maxLoadBalancerIPs) };
}

function providersChoice({ addons }: TenantCluster["spec"], loadBalancer: Network["loadBalancer"]): number {
  if (loadBalancer === undefined) return staticBlock;
  if (loadBalancer.allocationMode === "static") return loadBalancer.defaultPoolSize;
  // Without an ingress controller there may never be a load balancer; the first one makes the cluster's share grow.
  return addons?.ingress?.enabled === false ? 0 : loadBalancer.initialPoolSize;
}
