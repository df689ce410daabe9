import { type PlatformRole, sufficesFor } from "@butler/access";
import type { TeamRole } from "@butler/api";
import type { Permission } from "@butler/contract";
import type { Me } from "./me.ts";

/** Roles of the user on the platform and in the current team. */
export interface UserRoles {
  readonly platformRole?: PlatformRole | undefined;
  readonly teamRole?: TeamRole | undefined;
}

/** The effective roles that the console displays. */
export type ActingRole = "platform-admin" | "platform-viewer" | "team-admin" | "operator" | "viewer" | "none";

/** Roles of the user in a team, or without a team. */
export function rolesOf(me: Pick<Me, "teams" | "platformRole">, team?: string): UserRoles {
  return { platformRole: me.platformRole, teamRole: me.teams.find(({ name }) => name === team)?.role };
}

/** The effective role: the one with the most permissions. */
export function actingRole({ platformRole, teamRole }: UserRoles): ActingRole {
  if (platformRole === "admin") return "platform-admin";
  if (teamRole === "admin") return "team-admin";
  if (teamRole === "operator") return "operator";
  if (platformRole === "viewer") return "platform-viewer";
  return teamRole === "viewer" ? "viewer" : "none";
}

/** Display names of the roles. */
export const roleWords: Readonly<Record<ActingRole, string>> = {
  "platform-admin": "Platform admin",
  "platform-viewer": "Platform viewer",
  "team-admin": "Team admin",
  operator: "Operator",
  viewer: "Viewer",
  none: "No team selected",
};

/** Whether a user may call a route, decided by the same code as on the server. */
export function isAllowed({ permission }: { readonly permission: Permission }, roles: UserRoles): boolean {
  return sufficesFor(permission, roles);
}

/** Why access is denied; undefined if it is allowed. */
export function refusalOf(route: { readonly permission: Permission }, roles: UserRoles): string | undefined {
  if (isAllowed(route, roles)) return undefined;
  const { permission } = route;
  if (permission.kind === "platform") return `Requires the platform ${permission.role} role.`;
  if (permission.kind === "team" || permission.kind === "cluster") return `Requires the team ${permission.role} role.`;
  return "Requires sign-in.";
}
