import { finalizers, IPAllocation, NetworkPool, TenantCluster } from "@butler/api";
import { describeRange, statusNumber } from "@butler/ipam";
import { apiVersionOf, type ObjectMeta, type ObjectOf, parseObject, type Resource } from "@butler/resource";
import { rangeBetween } from "../shared/claims.ts";

/** The fields that a test sets; all others have arbitrary values. */
interface Traits extends Partial<ObjectMeta> {
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

export const namespace = "butler-system";

function made<R extends Resource>(resource: R, base: Traits, { spec, status, ...metadata }: Traits): ObjectOf<R> {
  const { spec: baseSpec, status: _none, ...baseMetadata } = base;
  const named = { ...baseMetadata, ...metadata };
  return parseObject(resource, {
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    metadata: {
      uid: `uid-of-${named.name}`,
      resourceVersion: "1",
      generation: 1,
      creationTimestamp: "2026-01-01T00:00:00Z",
      ...named,
    },
    spec: { ...baseSpec, ...spec },
    ...(status === undefined ? {} : { status }),
  });
}

/** The conditions of a pool that allocates addresses. */
export const activeStatus = {
  conditions: [
    {
      type: "Ready",
      status: "True",
      reason: "PoolAvailable",
      message: "",
      observedGeneration: 1,
      lastTransitionTime: "2026-01-01T00:00:00Z",
    },
  ],
};

/** Pool `underlay` of 16 addresses, with its finalizer. */
export function aPool(traits: Traits = {}): NetworkPool {
  const base = { name: "underlay", namespace, finalizers: [finalizers.networkPool], spec: { cidr: "10.40.0.0/28" } };
  return made(NetworkPool, base, traits);
}

/** A pending claim on it for 4 load balancer addresses, with its finalizer. */
export function aClaim(traits: Traits = {}): IPAllocation {
  const spec = {
    poolRef: { name: "underlay" },
    tenantClusterRef: { name: "shop", namespace: "payments" },
    type: "loadbalancer",
    count: 4,
  };
  return made(IPAllocation, { name: "shop-lb", namespace, finalizers: [finalizers.ipAllocation], spec }, traits);
}

/** The status of an allocated claim. */
export function allocatedStatus(start: string, end: string): Record<string, unknown> {
  const range = rangeBetween(start, end);
  if (range === undefined) throw new Error(`${start} to ${end} is no range`);
  const { cidr, startAddress, endAddress, addresses, count } = describeRange(range);
  const status = { phase: "Allocated", startAddress, endAddress, addresses, allocatedCount: statusNumber(count) };
  return cidr === undefined ? status : { ...status, cidr };
}

/** Cluster `shop` of team `payments`. */
export function aCluster(traits: Traits = {}): TenantCluster {
  const spec = { teamRef: { name: "payments" }, workers: { replicas: 1 } };
  return made(TenantCluster, { name: "shop", namespace: "payments", spec }, traits);
}
