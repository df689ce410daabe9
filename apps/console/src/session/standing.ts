import { type PlatformRole, sufficesFor } from "@butler/access";
import type { TeamRole } from "@butler/api";
import type { Permission } from "@butler/contract";
import type { Me } from "./me.ts";

/** What somebody is in one place: on the platform, and in the team that a page is about. */
export interface Standing {
  readonly platformRole?: PlatformRole | undefined;
  readonly teamRole?: TeamRole | undefined;
}

/** The roles that the console has colours and words for. */
export type ActingRole = "platform-admin" | "platform-viewer" | "team-admin" | "operator" | "viewer" | "none";

/** What somebody is in a team, or outside of all teams. */
export function standingOf(me: Pick<Me, "teams" | "platformRole">, team?: string): Standing {
  return { platformRole: me.platformRole, teamRole: me.teams.find(({ name }) => name === team)?.role };
}

/** The role that somebody acts in: the one that lets them do most. */
export function actingRole({ platformRole, teamRole }: Standing): ActingRole {
  if (platformRole === "admin") return "platform-admin";
  if (teamRole === "admin") return "team-admin";
  if (teamRole === "operator") return "operator";
  if (platformRole === "viewer") return "platform-viewer";
  return teamRole === "viewer" ? "viewer" : "none";
}

/** The role in words. */
export const roleWords: Readonly<Record<ActingRole, string>> = {
  "platform-admin": "Platform admin",
  "platform-viewer": "Platform viewer",
  "team-admin": "Team admin",
  operator: "Operator",
  viewer: "Viewer",
  none: "No team chosen",
};

/** Whether somebody may use a route, decided by the code with which the server decides it. */
export function isAllowed({ permission }: { readonly permission: Permission }, standing: Standing): boolean {
  return sufficesFor(permission, standing);
}

/** Why somebody may not, as a sentence; undefined when they may. */
export function refusalOf(route: { readonly permission: Permission }, standing: Standing): string | undefined {
  if (isAllowed(route, standing)) return undefined;
  const { permission } = route;
  if (permission.kind === "platform") return `Needs the role ${permission.role} on the platform.`;
  if (permission.kind === "team" || permission.kind === "cluster")
    return `Needs the role ${permission.role} in the team.`;
  return "Needs somebody who is signed in.";
}
