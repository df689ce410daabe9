import { z } from "zod";
import { emailAddress, moment, objectName } from "../names.ts";
import { anybody } from "../permission.ts";
import { defineRoute } from "../route.ts";
import { meView } from "./platform.ts";

const kind = "Session";

/** Why a sign-in failed: the value of `error` in the URL that the browser is redirected to, and its text. */
export const signInErrors = {
  account_disabled: "This account is disabled. Ask a platform administrator.",
  account_is_internal: "This email address belongs to an account with a password. Sign in with the password instead.",
  account_of_other_provider: "This email address belongs to an account of another provider. Use that provider.",
  subject_changed: "The provider returned a different user for this email address. Ask a platform administrator.",
  issuer_changed: "The provider's issuer has changed since this account was created. Ask a platform administrator.",
  email_ambiguous: "Several accounts have this email address. Ask a platform administrator.",
  email_missing: "The provider returned no email address for this user.",
  email_unverified: "The provider has not verified this user's email address. Verify it there, then sign in again.",
  domain_refused: "Accounts in this domain are not allowed to sign in.",
  state_invalid: "The sign-in was not started in this browser, or it timed out. Sign in again.",
  provider_unavailable: "The provider is not responding. Try again later.",
  provider_refused: "The provider denied the sign-in.",
  answer_invalid: "The provider's response could not be verified. Sign in again.",
  groups_unavailable: "The user's groups could not be read. Try again later.",
} as const;

const signedInAnswer = z.object({ user: meView.describe("The signed-in user.") }).meta({ id: "SignedInAnswer" });
const returnTo = z
  .string()
  .max(2_048)
  .optional()
  .describe("Console path to redirect to afterwards. Anything other than a path on this server is ignored.");

export const listSignInProviders = defineRoute({
  id: "auth.providers",
  method: "GET",
  path: "/api/auth/providers",
  summary: "List sign-in methods",
  permission: anybody,
  responses: {
    200: z
      .object({
        providers: z
          .array(
            z.object({
              name: z.string().describe("Name of the identity provider."),
              type: z.literal("oidc").describe("Protocol."),
              loginUrl: z.string().describe("Path to redirect the browser to."),
              buttonLabel: z.string().describe("Sign-in button label."),
            }),
          )
          .describe("Identity providers."),
        internalUsers: z.boolean().describe("Whether password sign-in is enabled."),
        legacyAuth: z.literal(false).describe("Always false: Butler has no built-in administrator."),
        passwordLoginUrl: z.string().describe("Path for password sign-in."),
        setupNeeded: z.boolean().describe("Whether the platform still needs its first administrator."),
      })
      .meta({ id: "SignInWays" }),
  },
  audit: "none",
});

export const beginSignIn = defineRoute({
  id: "auth.begin",
  method: "GET",
  path: "/api/auth/login/{provider}",
  summary: "Redirect to an identity provider",
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
  summary: "Redirect to the only identity provider",
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
  summary: "Handle the callback from an identity provider",
  description:
    "Always redirects: to the requested path with session cookies or, if the sign-in failed, to `/` with " +
    `\`error\` set to one of ${Object.keys(signInErrors).join(", ")}.`,
  permission: anybody,
  query: z.object({
    code: z.string().max(8_192).optional().describe("Authorization code."),
    state: z.string().max(512).optional().describe("OAuth 2.0 state parameter."),
    error: z.string().max(512).optional().describe("Error code from the provider."),
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
    "All failures return the same response and take the same time, so that accounts cannot be enumerated. After " +
    "several failures from one address, the account is locked for that address, for longer each time. Devices on " +
    "which the user has signed in before are never locked out.",
  permission: anybody,
  body: z
    .strictObject({
      email: z.string().min(1).max(254).optional().describe("Email address of the account."),
      username: z.string().min(1).max(254).optional().describe("Account name, as an alternative to the email address."),
      password: z.string().min(1).max(1_024).describe("Password."),
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
  summary: "Sign out",
  description: "Ends the session on the server and clears its cookies. Does nothing without a session.",
  permission: anybody,
  responses: { 200: z.object({ status: z.literal("logged_out").describe("Done.") }).meta({ id: "SignedOut" }) },
  errors: ["CSRF_FAILED"],
  audit: { action: "sign-out", kind },
});

export const refreshSession = defineRoute({
  id: "auth.refresh",
  method: "POST",
  path: "/api/auth/refresh",
  summary: "Refresh the session cookies",
  description:
    "Requires the butler_refresh cookie, which can be used only once. If it is used again, it may have been " +
    "stolen, so the session ends. Refreshing does not extend the absolute lifetime of the session.",
  permission: anybody,
  responses: {
    200: z
      .object({
        status: z.literal("refreshed").describe("Done."),
        expiresAt: moment("Absolute expiration time of the session"),
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
  summary: "Create the first administrator with the one-time setup token",
  permission: anybody,
  body: z
    .strictObject({
      token: z.string().min(1).max(256).describe("One-time setup token from the Secret butler-setup-token."),
      email: emailAddress("Email address of the administrator."),
      displayName: z.string().max(200).optional().describe("Display name."),
      password: z.string().min(1).max(1_024).describe("Administrator password."),
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

/** All routes for signing in. */
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
