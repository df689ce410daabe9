import { teamNamespaceRules } from "@butler/access";
import { ButlerConfig, finalizers, labels, managedByButler, Team, TenantCluster } from "@butler/api";
import { defineController, via } from "@butler/controller";
import { builtinKinds, type KubeObject, type ObjectKey } from "@butler/resource";
import { teamsConcerned } from "../shared/index.ts";
import { teamObjectVerbs } from "./manifests.ts";
import { byNamespace, byTeam, byTeamLabel, teamControllerName } from "./names.ts";
import { observe } from "./observe.ts";
import { type Observed, plan } from "./plan.ts";
import type { TeamPorts } from "./ports.ts";

const { ClusterRole, ClusterRoleBinding, Namespace, Role, RoleBinding } = builtinKinds;

/** Only objects that Butler created for teams; others need not be kept in memory. */
const ofTeams = { labelSelector: `${labels.team},${labels.managedBy}=${managedByButler}` };

/** Creates a team's namespace and its members' roles in it, and reports the team's usage. */
export const teamController = defineController<typeof Team, Observed, never, TeamPorts>({
  name: teamControllerName,
  primary: Team,
  owns: [
    { kind: Namespace },
    ...[Role, RoleBinding, ClusterRole, ClusterRoleBinding].map((kind) => ({ kind, scope: ofTeams })),
  ],
  watches: [
    // None of them has an owner reference; a namespace has the name of its team.
    via(Namespace, ({ metadata }) => [{ name: metadata.name }]),
    via(Role, teamOfNamespace, ofTeams),
    via(RoleBinding, teamOfNamespace, ofTeams),
    via(ClusterRole, teamOfLabel, ofTeams),
    via(ClusterRoleBinding, teamOfLabel, ofTeams),
    via(TenantCluster, (cluster) => teamsConcerned(cluster).map((name) => ({ name }))),
    via(ButlerConfig, (_config, read) => read.list(Team).map(({ metadata }) => ({ name: metadata.name }))),
  ],
  indexes: [
    { kind: TenantCluster, name: byTeam, of: (object) => teamsConcerned(object as TenantCluster) },
    { kind: Role, name: byNamespace, of: namespaceOf },
    { kind: RoleBinding, name: byNamespace, of: namespaceOf },
    { kind: ClusterRole, name: byTeamLabel, of: teamLabelOf },
    { kind: ClusterRoleBinding, name: byTeamLabel, of: teamLabelOf },
  ],
  // RBAC prevents granting permissions that the grantor lacks, so the controller can grant only these.
  permissions: [
    ...teamNamespaceRules("admin"),
    { apiGroups: [Team.group], resources: [Team.plural], verbs: teamObjectVerbs.admin },
  ],
  finalizer: finalizers.team,
  observe,
  plan,
  perform: {},
});

/** Objects in a cluster's namespace have the team label too, but belong to another controller. */
function teamOfNamespace({ metadata }: KubeObject): ObjectKey[] {
  const { namespace, labels: own } = metadata;
  return namespace !== undefined && own?.[labels.team] === namespace ? [{ name: namespace }] : [];
}

function namespaceOf({ metadata }: KubeObject): string[] {
  return metadata.namespace === undefined ? [] : [metadata.namespace];
}

function teamOfLabel(object: KubeObject): ObjectKey[] {
  return teamLabelOf(object).map((name) => ({ name }));
}

function teamLabelOf({ metadata }: KubeObject): string[] {
  const team = metadata.labels?.[labels.team];
  return team === undefined ? [] : [team];
}
