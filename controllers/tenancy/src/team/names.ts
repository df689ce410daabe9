import type { TeamRole } from "@butler/api";

/** The name of the controller, which is also in the note that it leaves on what it made. */
export const teamControllerName = "team";

/** The index of clusters by the teams that they concern. */
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

/** Whoever belongs to a team in some way, and those who look after it. */
export type TeamRelation = "member" | "admin";

/** The name of the ClusterRole, and of its ClusterRoleBinding, for what people may do with the object of their team. */
export function teamObjectRoleName(team: string, relation: TeamRelation): string {
  return `butler:team:${team}:${relation}`;
}
