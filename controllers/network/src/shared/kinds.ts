import { IPAllocation, NetworkPool, TenantCluster } from "@butler/api";
import type { Resource } from "@butler/resource";

/**
 * A kind whose status the runtime does not write. It would write a stale cached status after a failure, and a status
 * that
 * several controllers write, with addresses in it, must only ever change from the version that was decided on.
 */
function withoutStatus<R extends Resource>(kind: R): Resource<R["spec"], undefined> {
  return { ...kind, status: undefined };
}

/** NetworkPools, as controllers that write their status themselves declare them. */
export const PoolToServe = withoutStatus(NetworkPool);

/** IPAllocations, as controllers that write their status themselves declare them. */
export const ClaimToServe = withoutStatus(IPAllocation);

/** TenantClusters, whose status belongs to another controller. */
export const ClusterToServe = withoutStatus(TenantCluster);

/** The index over IPAllocations by `namespace/name` of their pool. */
export const byPool = "pool";
