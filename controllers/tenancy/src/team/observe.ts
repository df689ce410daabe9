import { ButlerConfig, butlerConfigName, type Team, TenantCluster } from "@butler/api";
import type { ObserveContext } from "@butler/controller";
import { builtinKinds, isBeingDeleted } from "@butler/resource";
import { teamsConcerned } from "../shared/index.ts";
import { byNamespace, byTeam, byTeamLabel } from "./names.ts";
import type { Observed } from "./plan.ts";
import type { TeamPorts } from "./ports.ts";

/** Reads what the plan needs. Before a namespace is deleted, clusters in it are read from the API server itself. */
export async function observe({
  primary,
  read,
  ports,
  signal,
}: ObserveContext<typeof Team, TeamPorts>): Promise<Observed> {
  const { name } = primary.metadata;
  const cached = read.byIndex(TenantCluster, byTeam, name);
  const mustBeSure = isBeingDeleted(primary) && cached.length === 0;
  const clusters = mustBeSure ? await ports.listClusters(signal) : cached;
  return {
    team: primary,
    config: read.get(ButlerConfig, { name: butlerConfigName }),
    clusters: clusters.filter((cluster) => teamsConcerned(cluster).includes(name)),
    namespace: read.get(builtinKinds.Namespace, { name }),
    roles: read.byIndex(builtinKinds.Role, byNamespace, name),
    roleBindings: read.byIndex(builtinKinds.RoleBinding, byNamespace, name),
    clusterRoles: read.byIndex(builtinKinds.ClusterRole, byTeamLabel, name),
    clusterRoleBindings: read.byIndex(builtinKinds.ClusterRoleBinding, byTeamLabel, name),
  };
}
