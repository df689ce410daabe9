import { keyText } from "@butler/resource";
import { compareSeniority, hostnameTakenMessage } from "../exposure/hostname-claims.ts";
import { normalizeServerName } from "./server-name.ts";

/** A control plane, as far as the gateway has to know it. */
export interface Tenant {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
}

/** Where the connections of a tenant go. */
export interface Upstream {
  readonly host: string;
  readonly port: number;
}

/** What a tenant asks of the gateway. */
export interface RouteClaim {
  readonly tenant: Tenant;
  readonly creationTimestamp: string | undefined;
  /** The server name that is to lead to it; undefined when it is reached in another way. */
  readonly hostname: string | undefined;
  /** Undefined as long as there is nothing to connect to. */
  readonly upstream: Upstream | undefined;
}

/** Where a server name leads. */
export interface Route {
  readonly tenant: Tenant;
  readonly upstream: Upstream | undefined;
}

/** What the gateway goes by. A new one takes the place of the old; none is ever changed. */
export interface RouteTable {
  readonly routes: ReadonlyMap<string, Route>;
  /** Every tenant that exists, by uid, whether or not a route leads to it. */
  readonly tenants: ReadonlyMap<string, Tenant>;
  /** Why a tenant did not get the name it asked for, by uid. */
  readonly refused: ReadonlyMap<string, string>;
}

/** The table of a gateway that has not been told anything. */
export const emptyRouteTable: RouteTable = buildRouteTable([]);

/** Gives every name to the oldest tenant that claims it, and a reason to the others. */
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
