import { keyText } from "@butler/resource";
import { compareSeniority, hostnameTakenMessage } from "../exposure/hostname-claims.ts";
import { normalizeServerName } from "./server-name.ts";

/** The part of a control plane that the gateway needs. */
export interface Tenant {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
}

/** The upstream of a tenant. */
export interface Upstream {
  readonly host: string;
  readonly port: number;
}

/** The claim of a tenant. */
export interface RouteClaim {
  readonly tenant: Tenant;
  readonly creationTimestamp: string | undefined;
  /** The claimed server name; undefined when it is exposed otherwise. */
  readonly hostname: string | undefined;
  /** Undefined while there is no upstream. */
  readonly upstream: Upstream | undefined;
}

/** The route of a server name. */
export interface Route {
  readonly tenant: Tenant;
  readonly upstream: Upstream | undefined;
}

/** The route table of the gateway. Immutable; replaced as a whole. */
export interface RouteTable {
  readonly routes: ReadonlyMap<string, Route>;
  /** All tenants by UID, with or without a route. */
  readonly tenants: ReadonlyMap<string, Tenant>;
  /** Why a tenant did not get its claimed name, by UID. */
  readonly refused: ReadonlyMap<string, string>;
}

/** The initial, empty table of a gateway. */
export const emptyRouteTable: RouteTable = buildRouteTable([]);

/** Assigns every name to the oldest tenant that claims it, and a reason to the others. */
export function buildRouteTable(claims: readonly RouteClaim[]): RouteTable {
  const routes = new Map<string, Route>();
  const refused = new Map<string, string>();
  const oldestFirst = [...claims].sort((left, right) => compareSeniority(seniority(left), seniority(right)));
  for (const { tenant, hostname, upstream } of oldestFirst) {
    if (hostname === undefined) continue;
    const name = normalizeServerName(hostname);
    const holder = routes.get(name)?.tenant;
    if (holder === undefined) routes.set(name, { tenant, upstream });
    else refused.set(tenant.uid, hostnameTakenMessage(name, keyText(holder)));
  }
  return { routes, tenants: new Map(claims.map(({ tenant }) => [tenant.uid, tenant])), refused };
}

/** The route of a server name, in any spelling. */
export function findRoute({ routes }: RouteTable, serverName: string): Route | undefined {
  return routes.get(normalizeServerName(serverName));
}

function seniority({ tenant, creationTimestamp }: RouteClaim): { uid: string; creationTimestamp: string | undefined } {
  return { uid: tenant.uid, creationTimestamp };
}
