import type { TeamRole } from "@butler/api";

/** What a caller needs for a route, as data: the server's check, the documents and the tests all read it. */
export type Permission =
  | { readonly kind: "public" }
  | { readonly kind: "session" }
  | { readonly kind: "platform"; readonly role: "admin" | "viewer" }
  | { readonly kind: "team"; readonly role: TeamRole; readonly from: "path" | "body" }
  | { readonly kind: "cluster"; readonly role: TeamRole };

/** Nobody has to be signed in. */
export const anybody: Permission = { kind: "public" };

/** Everybody who is signed in. What they are shown is only what concerns them. */
export const signedIn: Permission = { kind: "session" };

/** A role on the whole platform. */
export const onPlatform = (role: "admin" | "viewer"): Permission => ({ kind: "platform", role });

/** A role in the team that the path names; the same role on the platform will do. */
export const inTeam = (role: TeamRole): Permission => ({ kind: "team", role, from: "path" });

/** A role in the team that the body names, or in the environment of it that the body names. */
export const inTeamOfBody = (role: TeamRole): Permission => ({ kind: "team", role, from: "body" });

/** A role in the team, or in the environment, of the cluster that the path names. */
export const onCluster = (role: TeamRole): Permission => ({ kind: "cluster", role });

/** A permission as a sentence for people. */
export function describePermission(permission: Permission): string {
  switch (permission.kind) {
    case "public":
      return "Anybody, without signing in.";
    case "session":
      return "Everybody who is signed in; what does not concern them is left out.";
    case "platform":
      return permission.role === "admin"
        ? "Administrators of the platform."
        : "Viewers and administrators of the platform.";
    case "team":
    case "cluster": {
      const where = permission.kind === "team" ? "the team" : "the cluster's team or environment";
      const role = { viewer: "Everybody with a role", operator: "Operators and admins", admin: "Admins" }[
        permission.role
      ];
      const platform = permission.role === "viewer" ? "viewers and administrators" : "administrators";
      return `${role} in ${where}; also ${platform} of the platform.`;
    }
  }
}
