import {
  allocationTypes,
  ButlerConfig,
  butlerConfigName,
  IPAllocation,
  NetworkPool,
  poolOrder,
  ProviderConfig,
  providerKeyOf,
  Team,
  TenantCluster,
} from "@butler/api";
import type { CacheReader, ObserveContext } from "@butler/controller";
import { isBeingDeleted, keyOf, keyText, type ObjectKey } from "@butler/resource";
import type { ClusterToServe } from "../shared/kinds.ts";
import { type Observed, servesItself } from "./observed.ts";
import { countLoadBalancers, isAboutToShrink } from "./plan.ts";
import type { LoadBalancerPorts } from "./ports.ts";

/** The index over IPAllocations by `namespace/name` of their cluster. */
export const byCluster = "cluster";

/** Reads the inputs of the plan. Undefined for a cluster whose addresses are not managed by Butler. */
export async function observe(
  context: ObserveContext<typeof ClusterToServe, LoadBalancerPorts>,
): Promise<Observed | undefined> {
  const { primary, ports, now, signal } = context;
  const known = observeHere(context);
  if (known === undefined) {
    ports.watches.release(keyOf(primary));
    ports.metrics.forget(keyOf(primary));
    return undefined;
  }
  const place = { cluster: keyOf(primary), kubeconfig: known.tenantKey, hasMetalLb: !servesItself(known) };
  const observed = { ...known, tenant: ports.watches.read(place) };
  if (observed.tenant !== undefined) {
    ports.metrics.note(place.cluster, countLoadBalancers(observed, observed.tenant, now));
  }
  // Unused blocks are removed only after a fresh read of the tenant.
  return isAboutToShrink(observed, now) ? { ...observed, tenant: await ports.watches.look(place, signal) } : observed;
}

function observeHere({
  primary,
  read,
  ports,
}: ObserveContext<typeof ClusterToServe, LoadBalancerPorts>): Omit<Observed, "tenant"> | undefined {
  const cluster = read.get(TenantCluster, keyOf(primary));
  if (cluster === undefined || isBeingDeleted(cluster) || cluster.spec.paused) return undefined;
  const [provider, tenantKey] = [providerOf(cluster, read), tenantKeyOf(cluster)];
  if (provider?.spec.network?.mode !== "ipam" || tenantKey === undefined) return undefined;
  const claims = read.byIndex(IPAllocation, byCluster, keyText(keyOf(cluster)));
  return {
    cluster,
    provider,
    pools: poolsOf(provider, read),
    claims: claims.filter(({ spec }) => spec.type === allocationTypes.loadBalancer),
    tenantKey,
    patienceMs: ports.patienceMs,
  };
}

/** The Secret with the kubeconfig of a cluster; undefined before there is one. */
function tenantKeyOf({ status }: TenantCluster): ObjectKey | undefined {
  const { kubeconfigSecretRef, tenantNamespace } = status ?? {};
  if (kubeconfigSecretRef === undefined || tenantNamespace === undefined) return undefined;
  return { name: kubeconfigSecretRef.name, namespace: tenantNamespace };
}

function providerOf(cluster: TenantCluster, read: CacheReader): ProviderConfig | undefined {
  const config = read.get(ButlerConfig, { name: butlerConfigName });
  const team = cluster.spec.teamRef && read.get(Team, { name: cluster.spec.teamRef.name });
  const key = providerKeyOf(cluster, { team, config });
  return key && read.get(ProviderConfig, key);
}

function poolsOf(provider: ProviderConfig, read: CacheReader): NetworkPool[] {
  const { namespace } = provider.metadata;
  return poolOrder(provider).flatMap((name) => read.get(NetworkPool, { name, namespace }) ?? []);
}
