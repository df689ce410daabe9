import type { TeamRole } from "@butler/api";

/** The permission that a route requires, as data: the server's check, the docs and the tests all read it. */
export type Permission =
  | { readonly kind: "public" }
  | { readonly kind: "session" }
  | { readonly kind: "platform"; readonly role: "admin" | "viewer" }
  | { readonly kind: "team"; readonly role: TeamRole; readonly from: "path" | "body" }
  | { readonly kind: "cluster"; readonly role: TeamRole; readonly hint?: string };

/** No sign-in required. */
export const anybody: Permission = { kind: "public" };

/** Every signed-in user. The response contains only what the user may see. */
export const signedIn: Permission = { kind: "session" };

/** A role on the whole platform. */
export const onPlatform = (role: "admin" | "viewer"): Permission => ({ kind: "platform", role });

/** A role in the team named in the path; the same platform role is sufficient. */
export const inTeam = (role: TeamRole): Permission => ({ kind: "team", role, from: "path" });

/** A role in the team, or in the environment of it, named in the body. */
export const inTeamOfBody = (role: TeamRole): Permission => ({ kind: "team", role, from: "body" });

/**
 * A role in the team or environment of the cluster named in the path. The hint is the next step for members without the
 * role.
 */
export const onCluster = (role: TeamRole, hint?: string): Permission => ({
  kind: "cluster",
  role,
  ...(hint === undefined ? {} : { hint }),
});

/** A permission as a sentence. */
export function describePermission(permission: Permission): string {
  switch (permission.kind) {
    case "public":
      return "Public, no sign-in required.";
    case "session":
      return "All signed-in users; the response contains only what the caller can access.";
    case "platform":
      return permission.role === "admin" ? "Platform administrators." : "Platform viewers and administrators.";
    case "team":
    case "cluster": {
      const where = permission.kind === "team" ? "the team" : "the cluster's team or environment";
      const role = { viewer: "All members", operator: "Operators and admins", admin: "Admins" }[permission.role];
      const platform = permission.role === "viewer" ? "platform viewers and administrators" : "platform administrators";
      return `${role} of ${where}, and ${platform}.`;
    }
  }
}
