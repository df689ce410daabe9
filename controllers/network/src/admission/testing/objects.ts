import { IPAllocation, namespaces, NetworkPool } from "@butler/api";
import { type ObjectMeta, parseObject } from "@butler/resource";

/** The fields of an object that a test sets; all others have arbitrary values. */
interface Traits {
  readonly metadata?: Partial<ObjectMeta>;
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

/** A network for tenants. */
export function aPool({ metadata = {}, spec = {} }: Traits = {}): NetworkPool {
  return parseObject(NetworkPool, {
    apiVersion: NetworkPool.apiVersion,
    kind: NetworkPool.kind,
    metadata: { name: "datacenter", namespace: namespaces.system, ...metadata },
    spec: { cidr: "10.40.0.0/16", ...spec },
  });
}

/** Addresses of that network. */
export function anAllocation(addresses: readonly string[], { metadata = {}, status = {} }: Traits = {}): IPAllocation {
  const poolRef = { name: "datacenter" };
  const tenantClusterRef = { name: "shop", namespace: "payments" };
  return parseObject(IPAllocation, {
    apiVersion: IPAllocation.apiVersion,
    kind: IPAllocation.kind,
    metadata: { name: "shop-lb", namespace: namespaces.system, ...metadata },
    spec: { poolRef, tenantClusterRef, type: "loadbalancer" },
    status: { phase: "Allocated", addresses, ...status },
  });
}
