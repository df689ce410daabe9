import type { IPAllocation, LocalMachine, TenantCluster } from "@butler/api";
import type { Plan } from "@butler/controller";
import { isBeingDeleted, keyText } from "@butler/resource";
import { networksOf, parseIpAddress } from "@butler/std";

/** A route of this machine: packets for a network are sent to one of several machines. */
export interface Route {
  readonly network: string;
  /** Addresses of machines, in order. */
  readonly gateways: readonly string[];
}

/** The input of a plan: always the complete table, so that stale routes are removed, too. */
export interface Observed {
  readonly allocations: readonly IPAllocation[];
  readonly clusters: readonly TenantCluster[];
  readonly machines: readonly LocalMachine[];
  /** The current routes of this kind. */
  readonly routes: readonly Route[];
}

export type RouteEffect =
  ({ readonly type: "setRoute" } & Route) | { readonly type: "removeRoute"; readonly network: string };

/**
 * Routes the load balancer addresses of tenant clusters to their machines, where kube-proxy handles them. Where
 * machines are pods, routes replace a load balancer's announcements.
 */
export function plan(observed: Observed): Plan<RouteEffect> {
  const wanted = wantedRoutes(observed);
  const stale = observed.routes.filter(({ network }) => !wanted.some((route) => route.network === network));
  const changed = wanted.filter(({ network, gateways }) => {
    const present = observed.routes.find((route) => route.network === network);
    return present === undefined || present.gateways.join() !== gateways.join();
  });
  return {
    finalizer: "none",
    effects: [
      ...stale.map(({ network }) => ({ type: "removeRoute", network }) as const),
      ...changed.map((route) => ({ type: "setRoute", ...route }) as const),
    ],
  };
}

function wantedRoutes({ allocations, clusters, machines }: Observed): Route[] {
  const namespaces = new Map(clusters.map(({ metadata, status }) => [keyText(metadata), status?.tenantNamespace]));
  return allocations.filter(isInUse).flatMap((allocation) => {
    const namespace = namespaces.get(keyText(allocation.spec.tenantClusterRef));
    const gateways = machines
      .filter(({ metadata }) => namespace !== undefined && metadata.namespace === namespace)
      .flatMap(gatewayOf)
      .toSorted();
    return gateways.length === 0 ? [] : networksOfAllocation(allocation).map((network) => ({ network, gateways }));
  });
}

function isInUse({ spec, status }: IPAllocation): boolean {
  return spec.type === "loadbalancer" && status?.phase === "Allocated";
}

/** Machines that are being deleted, or have not joined as nodes yet, are skipped. */
function gatewayOf(machine: LocalMachine): string[] {
  if (isBeingDeleted(machine) || machine.status?.phase !== "Running") return [];
  const internal = machine.status.addresses?.find(
    ({ type, address }) => type === "InternalIP" && parseIpAddress(address)?.family === 4,
  );
  return internal === undefined ? [] : [internal.address];
}

/** Machines that are pods have IPv4 addresses only. */
function networksOfAllocation({ status }: IPAllocation): string[] {
  const [first, last] = [status?.startAddress, status?.endAddress].map((text) => parseIpAddress(text ?? ""));
  if (first === undefined || last === undefined || first.family !== 4) return [];
  return networksOf({ family: 4, first: first.value, last: last.value });
}
