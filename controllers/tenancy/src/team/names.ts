import type { TeamRole } from "@butler/api";

/** The name of the controller, also in the annotation on the objects it creates. */
export const teamControllerName = "team";

/** The index of clusters by the teams that they affect. */
export const byTeam = "concerned-team";

/** The index of ClusterRoles and ClusterRoleBindings by the team that they are about. */
export const byTeamLabel = "label-team";

/** The index of Roles and RoleBindings by their namespace. */
export const byNamespace = "namespace";

/** All roles, the lowest first. */
export const teamRoles = ["viewer", "operator", "admin"] as const satisfies readonly TeamRole[];

/** The name of the Role, and of its RoleBinding, for a role in a team's namespace. */
export function roleObjectName(role: TeamRole): string {
  return `butler-team-${role}`;
}

/** All members of a team, and its administrators. */
export type TeamRelation = "member" | "admin";

/** The name of the ClusterRole, and of its ClusterRoleBinding, for permissions on the object of the team. */
export function teamObjectRoleName(team: string, relation: TeamRelation): string {
  return `butler:team:${team}:${relation}`;
}
