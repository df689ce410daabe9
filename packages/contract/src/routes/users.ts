import { z } from "zod";
import { emailAddress, moment, objectName } from "../names.ts";
import { filter, flagFilter, listQuery, page } from "../paging.ts";
import { onPlatform } from "../permission.ts";
import { defineRoute } from "../route.ts";
import { deletion } from "../views/object.ts";

const kind = "User";
const userParams = z.object({ user: objectName("account") });
const platformRole = z.enum(["admin", "viewer", ""]);

/** An account, without its credentials. */
export const userView = z
  .object({
    username: z.string().describe("Name of the account."),
    email: z.string().describe("Email address."),
    displayName: z.string().describe("Display name."),
    avatar: z.string().optional().describe("Avatar URL."),
    phase: z.string().describe("Account phase: Pending, Active, Disabled or Locked."),
    disabled: z.boolean().describe("Whether the account is disabled."),
    authType: z.enum(["sso", "internal"]).describe("Sign-in method."),
    ssoProvider: z.string().optional().describe("Identity provider used to sign in."),
    isPlatformAdmin: z.boolean().describe("Whether the user is a platform administrator."),
    platformRole: platformRole.describe("Platform role. Empty if none."),
    teams: z
      .array(
        z.object({ name: z.string().describe("Name of the team."), role: z.string().describe("Role in the team.") }),
      )
      .describe("Teams that the user belongs to."),
    invitePending: z.boolean().describe("Whether an invitation is pending."),
    inviteExpiresAt: moment("Expiration time of the invitation").optional(),
    lastLoginTime: moment("Time of the last sign-in").optional(),
    createdAt: moment("Creation time").optional(),
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
    inviteUrl: z.string().describe("URL where the user sets a password. Returned only once; keep it private."),
    expiresAt: moment("Expiration time of the invitation"),
  })
  .meta({ id: "Invitation" });

export const listUsers = defineRoute({
  id: "users.list",
  method: "GET",
  path: "/api/users",
  summary: "List accounts",
  permission: onPlatform("viewer"),
  query: listQuery(["name", "email", "created", "lastLogin"], {
    phase: filter("Return only accounts in this phase."),
    authType: filter("Return only accounts with this sign-in method: sso or internal."),
    disabled: flagFilter("Return only accounts that are disabled (true) or enabled (false)."),
    team: filter("Return only members of this team."),
  }),
  responses: { 200: page("users", userView) },
  audit: "none",
});

export const getUser = defineRoute({
  id: "users.get",
  method: "GET",
  path: "/api/admin/users/{user}",
  summary: "Get an account",
  permission: onPlatform("viewer"),
  params: userParams,
  responses: { 200: userView },
  audit: "none",
});

export const inviteUser = defineRoute({
  id: "users.invite",
  method: "POST",
  path: "/api/admin/users",
  summary: "Create an account and an invitation",
  permission: onPlatform("admin"),
  body: z
    .strictObject({
      email: emailAddress("Email address of the user."),
      username: objectName("account")
        .optional()
        .describe("Name of the account. Defaults to a name derived from the email address."),
      displayName: z.string().max(200).optional().describe("Display name."),
      platformRole: platformRole.optional().describe("Platform role. Defaults to none."),
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
  summary: "Create a new invitation and invalidate the previous one",
  permission: onPlatform("admin"),
  params: userParams,
  responses: { 200: invitation },
  audit: { action: "invite", kind },
});

export const disableUser = defineRoute({
  id: "users.disable",
  method: "POST",
  path: "/api/admin/users/{user}/disable",
  summary: "Disable an account and end its sessions",
  permission: onPlatform("admin"),
  params: userParams,
  responses: { 200: userView },
  audit: { action: "disable", kind },
});

export const enableUser = defineRoute({
  id: "users.enable",
  method: "POST",
  path: "/api/admin/users/{user}/enable",
  summary: "Enable an account",
  permission: onPlatform("admin"),
  params: userParams,
  responses: { 200: userView },
  audit: { action: "enable", kind },
});

export const setPlatformRole = defineRoute({
  id: "users.platformRole",
  method: "PUT",
  path: "/api/admin/users/{user}/platform-role",
  summary: "Set or remove the platform role of an account",
  description:
    "You cannot change your own role, and the last platform administrator cannot be demoted. Does not affect roles " +
    "granted through identity provider groups.",
  permission: onPlatform("admin"),
  params: userParams,
  body: z
    .strictObject({ role: z.enum(["admin", "viewer"]).nullable().describe("Platform role. null for none.") })
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

/** All routes for accounts. */
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
