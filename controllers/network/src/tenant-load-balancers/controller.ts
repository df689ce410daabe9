import { ButlerConfig, IPAllocation, NetworkPool, ProviderConfig, Team, TenantCluster } from "@butler/api";
import {
  type CacheReader,
  ControllerRuntime,
  defineController,
  type RuntimeOptions,
  via,
  viaSpec,
} from "@butler/controller";
import { keyOf, keyText, type KubeObject, type ObjectKey } from "@butler/resource";
import type { TenantClients } from "@butler/tenant-clients";
import { ClusterToServe } from "../shared/kinds.ts";
import { LoadBalancerMetrics } from "./load-balancer-metrics.ts";
import { byCluster, observe } from "./observe.ts";
import type { Observed } from "./observed.ts";
import { type LoadBalancerEffect, plan } from "./plan.ts";
import { createLoadBalancerPorts, type LoadBalancerPorts } from "./ports.ts";
import { pendingGrowth } from "./stock.ts";
import { TenantWatches } from "./tenant-watches.ts";

/**
 * Manages the load balancer addresses of tenant clusters: assigns them, adds more when Services are waiting, and
 * removes unused ones.
 */
export const tenantLoadBalancerController = defineController<
  typeof ClusterToServe,
  Observed,
  LoadBalancerEffect,
  LoadBalancerPorts
>({
  name: "tenant-load-balancer",
  primary: ClusterToServe,
  owns: [{ kind: IPAllocation }],
  watches: [
    via(IPAllocation, (claim) => [clusterOf(claim)]),
    via(NetworkPool, (_pool, read) => clustersThatWait(read)),
    viaSpec(ProviderConfig, (_provider, read) => read.list(TenantCluster).map(keyOf)),
    viaSpec(ButlerConfig, (_config, read) => read.list(TenantCluster).map(keyOf)),
    viaSpec(Team, ({ metadata }, read) => clustersOfTeam(read, metadata.name)),
  ],
  reads: [{ kind: TenantCluster }],
  indexes: [{ kind: IPAllocation, name: byCluster, of: clusterTexts }],
  permissions: [{ apiGroups: [""], resources: ["secrets"], verbs: ["get"] }],
  // Many workers, because a pass may wait for a tenant without blocking others.
  concurrency: 16,
  timeoutMs: 60_000,
  observe,
  plan,
  perform: {
    assignAddress: (effect, ports, signal) => ports.assignAddress(effect, signal),
    publishBlocks: (effect, ports, signal) => ports.publishBlocks(effect, signal),
    noteUse: (effect, ports, signal) => ports.noteUse(effect, signal),
  },
});

/** Options of the controller. */
export interface TenantLoadBalancerOptions extends Omit<RuntimeOptions<never>, "ports"> {
  readonly tenants: TenantClients;
  /** How long Services may wait before their cluster gets more addresses; 5 seconds when absent. */
  readonly patienceMs?: number | undefined;
}

const usualPatienceMs = 5_000;

/** Creates the load balancer controller. */
export function startTenantLoadBalancers(options: TenantLoadBalancerOptions) {
  const { tenants, patienceMs = usualPatienceMs, ...common } = options;
  const { client, caches, clock, logger } = common;
  const watches = new TenantWatches({ tenants, clock, logger });
  const metrics = new LoadBalancerMetrics(common.metrics);
  const ports = createLoadBalancerPorts({ client, caches, tenants, watches, patienceMs, metrics });
  const runtime = new ControllerRuntime(tenantLoadBalancerController, { ...common, ports });
  watches.onChange((cluster) => runtime.wake(cluster));
  caches.of(TenantCluster).addHandler(({ type, object }) => {
    if (type !== "delete") return;
    watches.release(keyOf(object));
    metrics.forget(keyOf(object));
  });
  return runtime;
}

function clusterOf({ spec: { tenantClusterRef } }: IPAllocation): ObjectKey {
  return { name: tenantClusterRef.name, namespace: tenantClusterRef.namespace };
}

function clusterTexts(object: KubeObject): string[] {
  return [keyText(clusterOf(object as IPAllocation))];
}

/** Only clusters that wait for addresses depend on the capacity of a pool. */
function clustersThatWait(read: CacheReader): ObjectKey[] {
  return pendingGrowth(read.list(IPAllocation)).map(clusterOf);
}

function clustersOfTeam(read: CacheReader, team: string): ObjectKey[] {
  return read
    .list(TenantCluster)
    .filter(({ spec }) => spec.teamRef?.name === team)
    .map(keyOf);
}
