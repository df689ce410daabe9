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
  .describe(
    "The new password: at least 12 characters, at most 72 bytes, not the address, not one that is easily tried.",
  );

/** A session as its owner sees it. */
const sessionView = z
  .object({
    id: z.string().describe("Names the session; it opens nothing."),
    isCurrent: z.boolean().describe("Whether it is the one that this request belongs to."),
    method: z.enum(["password", "oidc"]).describe("How it was opened."),
    provider: z.string().optional().describe("Identity provider that it was opened through."),
    sourceAddress: z.string().describe("Where it was opened from."),
    userAgent: z.string().describe("What the browser called itself."),
    createdAt: moment("When it was opened"),
    usedAt: moment("When it was last refreshed"),
    expiresAt: moment("When it ends whatever happens"),
  })
  .meta({ id: "SessionView" });

const sessionList = z
  .object({
    sessions: z.array(sessionView).describe("The sessions, the newest first."),
    total: z.int().describe("How many."),
  })
  .meta({ id: "SessionList" });
const ended = z.object({ ended: z.int().describe("How many sessions have ended.") }).meta({ id: "SessionsEnded" });
const sessionId = z
  .string()
  .regex(/^[0-9a-f]{32}$/, "must be the id of a session")
  .describe("Id of the session.");
const ofAccount = z.object({ user: objectName("account") });

export const listOwnSessions = defineRoute({
  id: "auth.sessions",
  method: "GET",
  path: "/api/auth/sessions",
  summary: "List one's own sessions",
  permission: signedIn,
  responses: { 200: sessionList },
  audit: "none",
});

export const endOwnSession = defineRoute({
  id: "auth.endSession",
  method: "DELETE",
  path: "/api/auth/sessions/{session}",
  summary: "End one of one's own sessions",
  permission: signedIn,
  params: z.object({ session: sessionId }),
  responses: { 200: ended },
  audit: { action: "revoke", kind },
});

export const endOtherSessions = defineRoute({
  id: "auth.endOtherSessions",
  method: "DELETE",
  path: "/api/auth/sessions",
  summary: "End all of one's own sessions but this one",
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
  summary: "End every session of an account",
  permission: onPlatform("admin"),
  params: ofAccount,
  responses: { 200: ended },
  audit: { action: "revoke", kind },
});

export const endSessionOfUser = defineRoute({
  id: "auth.endSessionOfUser",
  method: "DELETE",
  path: "/api/admin/users/{user}/sessions/{session}",
  summary: "End one session of an account",
  permission: onPlatform("admin"),
  params: ofAccount.extend({ session: sessionId }),
  responses: { 200: ended },
  audit: { action: "revoke", kind },
});

export const showInvitation = defineRoute({
  id: "auth.invitation",
  method: "GET",
  path: "/api/auth/invite/{token}",
  summary: "Tell whether an invitation can be taken up",
  permission: anybody,
  params: z.object({ token: z.string().min(1).max(256).describe("Token of the invitation.") }),
  responses: {
    200: z
      .object({
        valid: z.boolean().describe("Whether it can be taken up."),
        email: z.string().optional().describe("Address of the account, when it can."),
        displayName: z.string().optional().describe("Name of the person, when it can."),
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
  summary: "Take up an invitation: set a password and sign in",
  description: "An invitation works once. Every session that the account had before ends.",
  permission: anybody,
  body: z
    .strictObject({
      token: z.string().min(1).max(256).describe("Token of the invitation."),
      password: newPassword,
    })
    .meta({ id: "NewPassword", examples: [{ token: "the-token-of-the-link", password: "a long password" }] }),
  responses: {
    200: z
      .object({ status: z.literal("success").describe("Done."), user: meView.describe("Who is signed in.") })
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
  summary: "Change one's own password; every other session ends",
  permission: signedIn,
  body: z
    .strictObject({
      currentPassword: z.string().min(1).max(1_024).describe("The password until now."),
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

/** Every route about one's own account and sessions. */
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
