import { z } from "zod";
import { moment, objectName } from "../names.ts";
import { anybody, onPlatform, signedIn } from "../permission.ts";
import { defineRoute } from "../route.ts";
import { meView } from "./platform.ts";

const kind = "Session";
const newPassword = z
  .string()
  .min(1)
  .max(1_024)
  .describe("New password: at least 12 characters, at most 72 bytes, and not the email address or a common password.");

/** A session as its owner sees it. */
const sessionView = z
  .object({
    id: z.string().describe("ID of the session. Not a credential."),
    isCurrent: z.boolean().describe("Whether this is the session that made the request."),
    method: z.enum(["password", "oidc"]).describe("Sign-in method."),
    provider: z.string().optional().describe("Identity provider used to sign in."),
    sourceAddress: z.string().describe("Source IP address of the sign-in."),
    userAgent: z.string().describe("User agent of the browser."),
    createdAt: moment("Sign-in time"),
    usedAt: moment("Time of the last refresh"),
    expiresAt: moment("Absolute expiration time"),
  })
  .meta({ id: "SessionView" });

const sessionList = z
  .object({
    sessions: z.array(sessionView).describe("Sessions, newest first."),
    total: z.int().describe("Number of sessions."),
  })
  .meta({ id: "SessionList" });
const ended = z.object({ ended: z.int().describe("Number of sessions ended.") }).meta({ id: "SessionsEnded" });
const sessionId = z
  .string()
  .regex(/^[0-9a-f]{32}$/, "must be a session ID")
  .describe("ID of the session.");
const ofAccount = z.object({ user: objectName("account") });

export const listOwnSessions = defineRoute({
  id: "auth.sessions",
  method: "GET",
  path: "/api/auth/sessions",
  summary: "List your sessions",
  permission: signedIn,
  responses: { 200: sessionList },
  audit: "none",
});

export const endOwnSession = defineRoute({
  id: "auth.endSession",
  method: "DELETE",
  path: "/api/auth/sessions/{session}",
  summary: "End one of your sessions",
  permission: signedIn,
  params: z.object({ session: sessionId }),
  responses: { 200: ended },
  audit: { action: "revoke", kind },
});

export const endOtherSessions = defineRoute({
  id: "auth.endOtherSessions",
  method: "DELETE",
  path: "/api/auth/sessions",
  summary: "End all your other sessions",
  permission: signedIn,
  responses: { 200: ended },
  audit: { action: "revoke", kind },
});

export const listSessionsOfUser = defineRoute({
  id: "auth.sessionsOfUser",
  method: "GET",
  path: "/api/admin/users/{user}/sessions",
  summary: "List the sessions of an account",
  permission: onPlatform("admin"),
  params: ofAccount,
  responses: { 200: sessionList },
  audit: "none",
});

export const endSessionsOfUser = defineRoute({
  id: "auth.endSessionsOfUser",
  method: "DELETE",
  path: "/api/admin/users/{user}/sessions",
  summary: "End all sessions of an account",
  permission: onPlatform("admin"),
  params: ofAccount,
  responses: { 200: ended },
  audit: { action: "revoke", kind },
});

export const endSessionOfUser = defineRoute({
  id: "auth.endSessionOfUser",
  method: "DELETE",
  path: "/api/admin/users/{user}/sessions/{session}",
  summary: "End a session of an account",
  permission: onPlatform("admin"),
  params: ofAccount.extend({ session: sessionId }),
  responses: { 200: ended },
  audit: { action: "revoke", kind },
});

export const showInvitation = defineRoute({
  id: "auth.invitation",
  method: "GET",
  path: "/api/auth/invite/{token}",
  summary: "Check an invitation",
  permission: anybody,
  params: z.object({ token: z.string().min(1).max(256).describe("Invitation token.") }),
  responses: {
    200: z
      .object({
        valid: z.boolean().describe("Whether the invitation is valid."),
        email: z.string().optional().describe("Email address of the account, if the invitation is valid."),
        displayName: z.string().optional().describe("Display name of the account, if the invitation is valid."),
      })
      .meta({ id: "InvitationState" }),
  },
  audit: "none",
  rate: "strict",
});

export const setPassword = defineRoute({
  id: "auth.setPassword",
  method: "POST",
  path: "/api/auth/set-password",
  summary: "Accept an invitation: set a password and sign in",
  description: "An invitation can be used only once. Accepting it ends all existing sessions of the account.",
  permission: anybody,
  body: z
    .strictObject({
      token: z.string().min(1).max(256).describe("Invitation token."),
      password: newPassword,
    })
    .meta({ id: "NewPassword", examples: [{ token: "the-token-of-the-link", password: "a long password" }] }),
  responses: {
    200: z
      .object({ status: z.literal("success").describe("Done."), user: meView.describe("The signed-in user.") })
      .meta({ id: "PasswordSet" }),
  },
  errors: ["GONE", "CSRF_FAILED"],
  audit: { action: "set-password", kind: "User" },
  rate: "strict",
});

export const changePassword = defineRoute({
  id: "auth.changePassword",
  method: "POST",
  path: "/api/auth/password",
  summary: "Change your password and end all your other sessions",
  permission: signedIn,
  body: z
    .strictObject({
      currentPassword: z.string().min(1).max(1_024).describe("Current password."),
      newPassword,
    })
    .meta({
      id: "PasswordChange",
      examples: [{ currentPassword: "a long password", newPassword: "another long password" }],
    }),
  responses: { 200: ended },
  audit: { action: "change-password", kind: "User" },
  rate: "strict",
});

/** All routes for the user's own account and sessions. */
export const authAccountRoutes = [
  listOwnSessions,
  endOwnSession,
  endOtherSessions,
  listSessionsOfUser,
  endSessionsOfUser,
  endSessionOfUser,
  showInvitation,
  setPassword,
  changePassword,
] as const;
