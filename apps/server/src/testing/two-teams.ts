import { Team, TenantCluster } from "@butler/api";
import type { Resource } from "@butler/resource";
import { eventually } from "@butler/testkit";
import { newObject } from "../handlers/writing.ts";
import type { ServerOptions } from "../start-server.ts";
import { bindPlatform, bindTeam, type Served, startServed, teamPeople } from "./served.ts";

/** The cluster of team payments, and the namespace of its objects. */
export const shop = { namespace: "payments", name: "shop" };
export const inside = "tenant-shop";

interface TwoTeamsOptions {
  readonly server?: Partial<ServerOptions>;
  /** Further settings of the team payments. */
  readonly payments?: object;
  /** Status of the cluster, as a controller reports it. */
  readonly status?: object;
}

/** A server with two teams: payments, with all users and a cluster, and billing, which they cannot see. */
export async function startTwoTeams(name: string, { server: own, payments, status }: TwoTeamsOptions): Promise<Served> {
  const served = await startServed(name, teamPeople, own);
  try {
    const { cluster, server } = served;
    await bindPlatform(cluster);
    for (const namespace of ["butler-system", "payments", inside]) await cluster.createNamespace(namespace);
    await bindTeam(cluster, "payments");
    const users = [
      { name: "ada@example.com", role: "admin" },
      { name: "olga@example.com", role: "operator" },
      { name: "vera@example.com", role: "viewer" },
    ];
    const make = makerIn(served);
    await make(Team, { name: "payments" }, { access: { users }, ...payments });
    await make(Team, { name: "billing" }, { access: { users: [{ name: "eve@example.com", role: "admin" }] } });
    await make(TenantCluster, shop, { teamRef: { name: "payments" } });
    const patch = { status: { tenantNamespace: inside, ...status } };
    await cluster.client.patch(TenantCluster, shop, { type: "merge", subresource: "status", patch });
    await eventually(() => server.state.teams.size === 2 && server.state.clusters.get(shop)?.status?.tenantNamespace);
    return served;
  } catch (error) {
    await served.stop();
    throw error;
  }
}

/** Creates objects as an administrator. */
export function makerIn({ cluster }: Served) {
  return (kind: Resource, metadata: { readonly name: string; readonly namespace?: string }, spec: object) =>
    cluster.client.create(kind, newObject(kind, metadata, { spec }));
}
