import { parseIpAddress, parseIpRange, rangeContains } from "@butler/std";
import { IPAllocation } from "./ip-allocation.ts";
import type { NetworkPool } from "./network-pool.ts";
import type { ProviderConfig } from "./provider-config.ts";
import type { TenantCluster } from "./tenant-cluster.ts";
import { allocationTypes, labels } from "./well-known.ts";

/** Requested addresses: a block of a size, or an exact range. */
export type AddressWish =
  | { readonly kind: "block"; readonly count: number }
  | { readonly kind: "pinned"; readonly startAddress: string; readonly endAddress: string };

/** The names of a provider's pools in the order in which they are tried: by priority, then as they are listed. */
export function poolOrder({ spec }: ProviderConfig): string[] {
  const refs = spec.network?.poolRefs ?? [];
  const sorted = refs.toSorted((left, right) => left.priority - right.priority);
  return [...new Set(sorted.map(({ name }) => name))];
}

/** Whether a pool can currently serve a request, according to its status. */
export function hasRoom({ spec, status }: NetworkPool, wish: AddressWish): boolean {
  if (wish.kind === "block") return (status?.largestFreeBlock ?? 0) >= wish.count;
  const [network, first] = [parseIpRange(spec.cidr), parseIpAddress(wish.startAddress)];
  return first !== undefined && rangeContains(network, first);
}

/**
 * The pool to use: the first with enough addresses. If none has, the first pool that exists, where the claim is queued;
 * undefined when there is no pool at all.
 */
export function choosePool(pools: readonly NetworkPool[], wish: AddressWish): NetworkPool | undefined {
  return pools.find((pool) => hasRoom(pool, wish)) ?? (wish.kind === "pinned" ? undefined : pools[0]);
}

/** Fields of a claim for load balancer addresses. */
export interface LoadBalancerClaim {
  readonly name: string;
  readonly cluster: TenantCluster;
  readonly pool: NetworkPool;
  readonly wish: AddressWish;
  /** One of `allocationRoles`. */
  readonly role: string;
  /** Additional labels for finding the cluster's objects. */
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * Name prefix of a cluster's claims. The UID distinguishes it from an earlier cluster, whose addresses may be in
 * quarantine.
 */
export function claimNameOf({ metadata: { name, uid = "" } }: TenantCluster): string {
  return `${name}-${uid.slice(0, 8)}-lb`;
}

/** A claim for load-balancer addresses of a cluster. */
export function loadBalancerClaim({ name, cluster, pool, wish, role, labels: own }: LoadBalancerClaim): IPAllocation {
  return {
    apiVersion: IPAllocation.apiVersion,
    kind: IPAllocation.kind,
    metadata: {
      name,
      namespace: pool.metadata.namespace,
      labels: {
        ...own,
        [labels.networkPool]: pool.metadata.name,
        [labels.allocationType]: allocationTypes.loadBalancer,
        [labels.allocationRole]: role,
      },
    },
    spec: {
      poolRef: { name: pool.metadata.name },
      tenantClusterRef: { name: cluster.metadata.name, namespace: cluster.metadata.namespace ?? "" },
      type: allocationTypes.loadBalancer,
      ...(wish.kind === "block"
        ? { count: wish.count }
        : { pinnedRange: { startAddress: wish.startAddress, endAddress: wish.endAddress } }),
    },
  };
}
