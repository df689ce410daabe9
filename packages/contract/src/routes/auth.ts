import { z } from "zod";
import { emailAddress, moment, objectName } from "../names.ts";
import { anybody } from "../permission.ts";
import { defineRoute } from "../route.ts";
import { meView } from "./platform.ts";

const kind = "Session";

/** Why a sign-in did not succeed: the value of `error` in the address that a browser is sent back to, and its text. */
export const signInErrors = {
  account_disabled: "This account is disabled. Ask an administrator.",
  account_is_internal: "The account of this address signs in with a password, and not through this provider.",
  account_of_other_provider: "The account of this address signs in through another provider.",
  subject_changed: "The account of this address belongs to somebody else at the provider. Ask an administrator.",
  issuer_changed: "The provider's issuer has changed since this account was made. Ask an administrator.",
  email_ambiguous: "There are several accounts with this address. Ask an administrator.",
  email_missing: "The provider tells no e-mail address of this person.",
  email_unverified: "The provider has not verified the e-mail address of this person.",
  domain_refused: "Accounts of this domain may not sign in.",
  state_invalid: "This sign-in was not begun in this browser, or it has taken too long. Begin again.",
  provider_unavailable: "The provider does not answer at the moment. Try again later.",
  provider_refused: "The provider has refused the sign-in.",
  answer_invalid: "What the provider has answered could not be verified. Begin again.",
  groups_unavailable: "The groups of this person could not be read. Try again later.",
} as const;

const signedInAnswer = z.object({ user: meView.describe("Who is signed in.") }).meta({ id: "SignedInAnswer" });
const returnTo = z
  .string()
  .max(2_048)
  .optional()
  .describe("Path of the console to go to afterwards; other than paths of this server are left out of account.");

export const listSignInProviders = defineRoute({
  id: "auth.providers",
  method: "GET",
  path: "/api/auth/providers",
  summary: "List the ways to sign in",
  permission: anybody,
  responses: {
    200: z
      .object({
        providers: z
          .array(
            z.object({
              name: z.string().describe("Name of the identity provider."),
              type: z.literal("oidc").describe("Protocol."),
              loginUrl: z.string().describe("Path that a browser is sent to."),
              buttonLabel: z.string().describe("Text of the button."),
            }),
          )
          .describe("Identity providers."),
        internalUsers: z.boolean().describe("Whether people can sign in with a password."),
        legacyAuth: z.literal(false).describe("Always false; there is no built-in administrator."),
        passwordLoginUrl: z.string().describe("Path that passwords are sent to."),
        setupNeeded: z.boolean().describe("Whether the first administrator is still to be made."),
      })
      .meta({ id: "SignInWays" }),
  },
  audit: "none",
});

export const beginSignIn = defineRoute({
  id: "auth.begin",
  method: "GET",
  path: "/api/auth/login/{provider}",
  summary: "Send a browser to an identity provider",
  permission: anybody,
  params: z.object({ provider: objectName("identity provider") }),
  query: z.object({ return_to: returnTo }),
  responses: { 302: z.undefined() },
  audit: "none",
});

export const beginSingleSignIn = defineRoute({
  id: "auth.beginSingle",
  method: "GET",
  path: "/api/auth/login/sso",
  summary: "Send a browser to the identity provider, where there is only one",
  permission: anybody,
  query: z.object({ return_to: returnTo }),
  responses: { 302: z.undefined() },
  errors: ["NOT_FOUND", "CONFLICT"],
  audit: "none",
});

export const completeSignIn = defineRoute({
  id: "auth.callback",
  method: "GET",
  path: "/api/auth/callback",
  summary: "Take a browser back from an identity provider",
  description:
    "The answer is always a redirect: to where the sign-in was to lead, with the cookies of a session, or to `/` with " +
    `an \`error\`, one of ${Object.keys(signInErrors).join(", ")}.`,
  permission: anybody,
  query: z.object({
    code: z.string().max(8_192).optional().describe("Code of the provider."),
    state: z.string().max(512).optional().describe("What the sign-in was begun with."),
    error: z.string().max(512).optional().describe("What the provider refuses it with."),
  }),
  responses: { 302: z.undefined() },
  audit: { action: "sign-in", kind },
});

export const signInWithPassword = defineRoute({
  id: "auth.login",
  method: "POST",
  path: "/api/auth/login",
  summary: "Sign in with a password",
  description:
    "Whatever is wrong, the answer is the same and takes as long: nobody learns which accounts there are. After " +
    "several failures an account is closed for a while, longer each time.",
  permission: anybody,
  body: z
    .strictObject({
      email: z.string().min(1).max(254).optional().describe("E-mail address of the account."),
      username: z.string().min(1).max(254).optional().describe("Name of the account, instead of its address."),
      password: z.string().min(1).max(1_024).describe("The password."),
    })
    .meta({ id: "PasswordSignIn", examples: [{ email: "ada@example.com", password: "a long password" }] }),
  responses: { 200: signedInAnswer },
  errors: ["UNAUTHENTICATED", "CSRF_FAILED"],
  audit: { action: "sign-in", kind },
  rate: "strict",
});

export const signOut = defineRoute({
  id: "auth.logout",
  method: "POST",
  path: "/api/auth/logout",
  summary: "End the session",
  description: "Ends the session itself, not only the cookies of this browser. Without a session it does nothing.",
  permission: anybody,
  responses: { 200: z.object({ status: z.literal("logged_out").describe("Done.") }).meta({ id: "SignedOut" }) },
  errors: ["CSRF_FAILED"],
  audit: { action: "sign-out", kind },
});

export const refreshSession = defineRoute({
  id: "auth.refresh",
  method: "POST",
  path: "/api/auth/refresh",
  summary: "Get new cookies for the session",
  description:
    "Needs the cookie butler_refresh, which works once: when it is brought a second time the session ends, because two " +
    "people have it. The session itself never gets longer than it was made for.",
  permission: anybody,
  responses: {
    200: z
      .object({
        status: z.literal("refreshed").describe("Done."),
        expiresAt: moment("When the session ends whatever happens"),
      })
      .meta({ id: "Refreshed" }),
  },
  errors: ["UNAUTHENTICATED", "CSRF_FAILED", "CONFLICT"],
  audit: { action: "refresh", kind },
});

export const setUpPlatform = defineRoute({
  id: "auth.setup",
  method: "POST",
  path: "/api/auth/setup",
  summary: "Make the first administrator, with the one-time token of a new installation",
  permission: anybody,
  body: z
    .strictObject({
      token: z.string().min(1).max(256).describe("The token that the installation has shown."),
      email: emailAddress("E-mail address of the administrator."),
      displayName: z.string().max(200).optional().describe("Name shown to people."),
      password: z.string().min(1).max(1_024).describe("Password of the administrator."),
    })
    .meta({
      id: "PlatformSetup",
      examples: [{ token: "the-token-that-was-shown", email: "ada@example.com", password: "a long password" }],
    }),
  responses: { 201: signedInAnswer },
  errors: ["GONE", "CSRF_FAILED", "ALREADY_EXISTS"],
  audit: { action: "set-up", kind: "User" },
  rate: "strict",
});

/** Every route of signing in. */
export const authRoutes = [
  listSignInProviders,
  beginSingleSignIn,
  beginSignIn,
  completeSignIn,
  signInWithPassword,
  signOut,
  refreshSession,
  setUpPlatform,
] as const;
