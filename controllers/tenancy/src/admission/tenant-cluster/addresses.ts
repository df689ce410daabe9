import { pinnedRangeFault } from "@butler/access";
import { deniedFor } from "@butler/controller";
import type { Denial } from "@butler/kube";
import { deepEqual } from "@butler/std";
import type { TenantClusterInput } from "./input.ts";

/**
 * Rejects a pinned range that is larger than the provider's limit per tenant. Addresses that the cluster has already are
 * counted by the controller, which claims no more than the limit.
 */
export function addressDenials({ cluster, before, facts: { provider } }: TenantClusterInput): Denial[] {
  const range = cluster.spec.networking.loadBalancerPool;
  if (range === undefined || deepEqual(before?.spec.networking.loadBalancerPool, range)) return [];
  const fault = pinnedRangeFault(range, provider?.spec.network, 0n);
  return deniedFor("QUOTA", "spec.networking.loadBalancerPool", fault);
}
