import { IPAllocation, LocalMachine, TenantCluster } from "@butler/api";
import { type CacheReader, defineController, via } from "@butler/controller";
import { keyOf, type ObjectKey, type Resource } from "@butler/resource";
import { type Observed, plan, type RouteEffect } from "./plan.ts";
import type { RouteTable } from "./route-table.ts";

/** Dependencies of the controller. */
export interface TenantRoutePorts {
  readonly routes: RouteTable;
}

/** The kinds that must be served before the controller can start; an engine without Butler serves none of them. */
export const tenantRouteKinds = [IPAllocation, LocalMachine, TenantCluster] as const;

/** An IPAllocation without its status, which has one writer: a routing error is not an error of the allocation. */
const ClaimToRoute: Resource<typeof IPAllocation.spec, undefined> = { ...IPAllocation, status: undefined };

/** Maintains the routes to the load balancer addresses of tenant clusters. */
export const tenantRouteController = defineController<typeof ClaimToRoute, Observed, RouteEffect, TenantRoutePorts>({
  name: "local-tenant-route",
  primary: ClaimToRoute,
  watches: [
    via(LocalMachine, ({ metadata }, read) =>
      allocationsOf(read, ({ status }) => status?.tenantNamespace === metadata.namespace),
    ),
    via(TenantCluster, ({ metadata }, read) => allocationsOf(read, (cluster) => cluster.metadata.uid === metadata.uid)),
  ],
  // The routing table is shared: two concurrent passes would undo each other's changes.
  concurrency: 1,
  observe: async ({ read, ports }) => ({
    allocations: read.list(IPAllocation),
    clusters: read.list(TenantCluster),
    machines: read.list(LocalMachine),
    routes: await ports.routes.list(),
  }),
  plan,
  perform: {
    setRoute: (route, { routes }) => routes.set(route),
    removeRoute: ({ network }, { routes }) => routes.remove(network),
  },
});

function allocationsOf(read: CacheReader, isConcerned: (cluster: TenantCluster) => boolean): ObjectKey[] {
  const clusters = read.list(TenantCluster).filter(isConcerned);
  return read
    .list(IPAllocation)
    .filter(({ spec: { tenantClusterRef } }) =>
      clusters.some(
        ({ metadata }) => metadata.name === tenantClusterRef.name && metadata.namespace === tenantClusterRef.namespace,
      ),
    )
    .map(keyOf);
}
