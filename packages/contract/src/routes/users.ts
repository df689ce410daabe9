import { z } from "zod";
import { emailAddress, moment, objectName } from "../names.ts";
import { filter, flagFilter, listQuery, page } from "../paging.ts";
import { onPlatform } from "../permission.ts";
import { defineRoute } from "../route.ts";
import { deletion } from "../views/object.ts";

const kind = "User";
const userParams = z.object({ user: objectName("account") });
const platformRole = z.enum(["admin", "viewer", ""]);

/** An account, without anything by which one could sign in with it. */
export const userView = z
  .object({
    username: z.string().describe("Name of the account."),
    email: z.string().describe("E-mail address."),
    displayName: z.string().describe("Name shown to people."),
    avatar: z.string().optional().describe("Address of a picture."),
    phase: z.string().describe("Pending, Active, Disabled or Locked."),
    disabled: z.boolean().describe("Whether signing in is refused."),
    authType: z.enum(["sso", "internal"]).describe("How the person signs in."),
    ssoProvider: z.string().optional().describe("Identity provider."),
    isPlatformAdmin: z.boolean().describe("Whether the person administers the platform."),
    platformRole: platformRole.describe("Role on the platform; empty for none."),
    teams: z
      .array(z.object({ name: z.string().describe("Name of the team."), role: z.string().describe("Role in it.") }))
      .describe("Teams that the person belongs to."),
    invitePending: z.boolean().describe("Whether an invitation waits to be taken up."),
    inviteExpiresAt: moment("When the invitation ends").optional(),
    lastLoginTime: moment("When the person last signed in").optional(),
    createdAt: moment("When the account was made").optional(),
  })
  .meta({
    id: "UserView",
    examples: [
      {
        username: "ada",
        email: "ada@example.com",
        displayName: "Ada",
        phase: "Active",
        disabled: false,
        authType: "internal",
        isPlatformAdmin: false,
        platformRole: "",
        teams: [{ name: "payments", role: "admin" }],
        invitePending: false,
      },
    ],
  });

/** An account and the invitation to it. */
const invitation = z
  .object({
    user: userView.describe("The account."),
    inviteUrl: z.string().describe("Address at which the person sets a password: a secret, shown this once."),
    expiresAt: moment("When the invitation ends"),
  })
  .meta({ id: "Invitation" });

export const listUsers = defineRoute({
  id: "users.list",
  method: "GET",
  path: "/api/users",
  summary: "List accounts",
  permission: onPlatform("viewer"),
  query: listQuery(["name", "email", "created", "lastLogin"], {
    phase: filter("Only accounts in this phase."),
    authType: filter("Only accounts that sign in this way: sso or internal."),
    disabled: flagFilter("Only disabled accounts, or only others."),
    team: filter("Only members of this team."),
  }),
  responses: { 200: page("users", userView) },
  audit: "none",
});

export const getUser = defineRoute({
  id: "users.get",
  method: "GET",
  path: "/api/admin/users/{user}",
  summary: "Show an account",
  permission: onPlatform("viewer"),
  params: userParams,
  responses: { 200: userView },
  audit: "none",
});

export const inviteUser = defineRoute({
  id: "users.invite",
  method: "POST",
  path: "/api/admin/users",
  summary: "Make an account and an invitation to it",
  permission: onPlatform("admin"),
  body: z
    .strictObject({
      email: emailAddress("E-mail address of the person."),
      username: objectName("account").optional().describe("Name of the account; when absent made from the address."),
      displayName: z.string().max(200).optional().describe("Name shown to people."),
      platformRole: platformRole.optional().describe("Role on the platform; none when absent."),
    })
    .meta({ id: "NewUser", examples: [{ email: "ada@example.com", displayName: "Ada" }] }),
  responses: { 201: invitation },
  errors: ["ALREADY_EXISTS"],
  audit: { action: "invite", kind },
});

export const reinviteUser = defineRoute({
  id: "users.reinvite",
  method: "POST",
  path: "/api/admin/users/{user}/invite",
  summary: "Make a new invitation; the one before no longer works",
  permission: onPlatform("admin"),
  params: userParams,
  responses: { 200: invitation },
  audit: { action: "invite", kind },
});

export const disableUser = defineRoute({
  id: "users.disable",
  method: "POST",
  path: "/api/admin/users/{user}/disable",
  summary: "Refuse an account from now on, in everything that is open, too",
  permission: onPlatform("admin"),
  params: userParams,
  responses: { 200: userView },
  audit: { action: "disable", kind },
});

export const enableUser = defineRoute({
  id: "users.enable",
  method: "POST",
  path: "/api/admin/users/{user}/enable",
  summary: "Let an account sign in again",
  permission: onPlatform("admin"),
  params: userParams,
  responses: { 200: userView },
  audit: { action: "enable", kind },
});

export const setPlatformRole = defineRoute({
  id: "users.platformRole",
  method: "PUT",
  path: "/api/admin/users/{user}/platform-role",
  summary: "Give an account a role on the platform, or take it away",
  description:
    "Nobody changes their own role, and the last administrator stays one. Roles that groups of an identity provider " +
    "bring are not changed by this.",
  permission: onPlatform("admin"),
  params: userParams,
  body: z
    .strictObject({ role: z.enum(["admin", "viewer"]).nullable().describe("The role; null for none.") })
    .meta({ id: "PlatformRoleChange", examples: [{ role: "viewer" }, { role: null }] }),
  responses: { 200: userView },
  audit: { action: "change-role", kind },
});

export const deleteUser = defineRoute({
  id: "users.delete",
  method: "DELETE",
  path: "/api/admin/users/{user}",
  summary: "Delete an account",
  permission: onPlatform("admin"),
  params: userParams,
  responses: { 202: deletion },
  audit: { action: "delete", kind },
});

/** Every route about accounts. */
export const userRoutes = [
  listUsers,
  getUser,
  inviteUser,
  reinviteUser,
  disableUser,
  enableUser,
  setPlatformRole,
  deleteUser,
] as const;
