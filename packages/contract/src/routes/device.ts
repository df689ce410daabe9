import { z } from "zod";
import { moment, objectName } from "../names.ts";
import { anybody, signedIn } from "../permission.ts";
import { defineRoute, nothing } from "../route.ts";
import { meView } from "./platform.ts";

const secretText = (doc: string) => z.string().min(1).max(200).describe(doc);
const userCode = () =>
  z
    .string()
    .min(8)
    .max(16)
    .regex(/^[A-Za-z\s-]+$/, "must be letters, with or without dashes")
    .describe("The code that the command line shows. Capitals, blanks and dashes do not matter.");

// Everything but control characters, as ranges: not everybody who reads the document knows properties of characters.
const printable = new RegExp("^[ -~\u{a0}-\u{10ffff}]*$", "u");

const recorded = (action: string) => ({ action, kind: "CliLogin" });

export const startDevice = defineRoute({
  id: "device.start",
  method: "POST",
  path: "/api/auth/cli/device",
  summary: "Begin a sign-in from a command line (RFC 8628)",
  permission: anybody,
  body: z
    .object({
      client_name: z
        .string()
        .max(100)
        .regex(printable, "must be printable")
        .optional()
        .describe("Who asks, for people: shown to whoever approves, and never believed."),
    })
    .meta({ id: "DeviceStart", examples: [{ client_name: "butlerctl on laptop" }] }),
  responses: {
    200: z
      .object({
        device_code: z.string().describe("The secret with which the result is fetched; nobody else must see it."),
        user_code: z.string().describe("What the person types on the page, such as BCDF-GHJK."),
        verification_uri: z.string().describe("The page where the person approves."),
        verification_uri_complete: z.string().describe("The same page with the code filled in."),
        expires_in: z.int().describe("Seconds until the codes end."),
        interval: z.int().describe("Seconds to wait between two questions for the result."),
      })
      .meta({ id: "DeviceCodes" }),
  },
  audit: recorded("begin-login"),
  rate: "strict",
});

/** What a command line has in its hands once it is signed in. */
export const cliCredentials = z
  .object({
    access_token: z.string().describe("For requests to this server, as a bearer token."),
    token_type: z.literal("Bearer").describe("How the token is sent."),
    expires_in: z.int().describe("Seconds until both the access token and the kubeconfig's token end."),
    expires_at: moment("The same as a moment"),
    refresh_token: z.string().describe("For new credentials, once; a token that is used twice ends the sign-in."),
    refresh_expires_at: moment("When the refresh token ends"),
    kubernetes: z
      .object({
        server: z.string().describe("Address of the management cluster's API."),
        certificate_authority: z.string().describe("Certificates that vouch for it, in PEM form."),
        token: z.string().describe("Token of the person's own ServiceAccount."),
      })
      .describe("The way to the management cluster."),
    kubeconfig: z.string().describe("The same as a kubeconfig."),
    user: meView.pick({ email: true, name: true }).describe("Who is signed in."),
  })
  .meta({ id: "CliCredentials" });

export const takeDeviceToken = defineRoute({
  id: "device.token",
  method: "POST",
  path: "/api/auth/cli/token",
  summary: "Fetch the result of a sign-in from a command line, once",
  description: "Until somebody has decided, the answer is the problem AUTHORIZATION_PENDING.",
  permission: anybody,
  body: z
    .object({
      device_code: secretText("The secret from the beginning of the sign-in."),
      grant_type: z
        .literal("urn:ietf:params:oauth:grant-type:device_code")
        .optional()
        .describe("As RFC 8628 has it; may be left out."),
      client_id: z.string().max(100).optional().describe("As RFC 8628 has it; not looked at."),
    })
    .meta({ id: "DeviceTokenRequest", examples: [{ device_code: "3q2-7wAB" }] }),
  responses: { 200: cliCredentials },
  errors: ["AUTHORIZATION_PENDING", "SLOW_DOWN", "ACCESS_DENIED", "EXPIRED_TOKEN"],
  audit: recorded("login"),
});

const deviceRequest = z
  .object({
    clientName: z.string().describe("Who asks, in its own words."),
    sourceAddress: z.string().describe("Where the request came from."),
    requestedAt: moment("When it was asked"),
    expiresAt: moment("When the code ends"),
    state: z.enum(["pending", "approved", "denied"]).describe("What was decided about it."),
    grants: z.array(z.string()).describe("What approving hands out: your roles, one by one."),
  })
  .meta({ id: "DeviceRequest" });

export const showDevice = defineRoute({
  id: "device.show",
  method: "GET",
  path: "/api/auth/cli/device",
  summary: "Who asks for a sign-in, and for what",
  permission: signedIn,
  query: z.object({ user_code: userCode() }),
  responses: { 200: deviceRequest },
  errors: ["NOT_FOUND"],
  audit: "none",
  rate: "strict",
});

const decision = z
  .object({ user_code: userCode() })
  .meta({ id: "DeviceDecision", examples: [{ user_code: "BCDF-GHJK" }] });

export const approveDevice = defineRoute({
  id: "device.approve",
  method: "POST",
  path: "/api/auth/cli/approve",
  summary: "Let a command line sign in as you",
  permission: signedIn,
  body: decision,
  responses: { 200: deviceRequest },
  errors: ["NOT_FOUND"],
  audit: recorded("approve-login"),
  rate: "strict",
});

export const denyDevice = defineRoute({
  id: "device.deny",
  method: "POST",
  path: "/api/auth/cli/deny",
  summary: "Turn a command line away",
  permission: signedIn,
  body: decision,
  responses: { 200: deviceRequest },
  errors: ["NOT_FOUND"],
  audit: recorded("deny-login"),
  rate: "strict",
});

const refreshBody = z
  .object({ refresh_token: secretText("The newest refresh token.") })
  .meta({ id: "CliRefresh", examples: [{ refresh_token: "bcr_0123" }] });

export const refreshCli = defineRoute({
  id: "device.refresh",
  method: "POST",
  path: "/api/auth/cli/refresh",
  summary: "Exchange a refresh token for new credentials",
  permission: anybody,
  body: refreshBody,
  responses: { 200: cliCredentials },
  errors: ["INVALID_GRANT", "CONFLICT"],
  audit: recorded("refresh-login"),
});

export const revokeCli = defineRoute({
  id: "device.revoke",
  method: "POST",
  path: "/api/auth/cli/revoke",
  summary: "End the sign-in of a command line",
  description: "Also the answer to a token that nobody knows is that all is well.",
  permission: anybody,
  body: refreshBody,
  responses: { 204: nothing },
  audit: recorded("logout"),
});

export const listCliLogins = defineRoute({
  id: "device.logins",
  method: "GET",
  path: "/api/auth/cli/logins",
  summary: "Command lines that are signed in as you",
  permission: signedIn,
  responses: {
    200: z
      .object({
        logins: z
          .array(
            z.object({
              id: z.string().describe("Names the sign-in."),
              clientName: z.string().describe("What it called itself."),
              sourceAddress: z.string().describe("Where it was begun."),
              createdAt: moment("When it was begun"),
              lastUsedAt: moment("When it last got new credentials"),
              expiresAt: moment("When it ends at the latest"),
              isCurrent: z.boolean().describe("Whether it is the one that asks."),
            }),
          )
          .describe("Newest first."),
      })
      .meta({ id: "CliLogins" }),
  },
  audit: "none",
});

export const endCliLogin = defineRoute({
  id: "device.end",
  method: "DELETE",
  path: "/api/auth/cli/logins/{name}",
  summary: "End the sign-in of one of your command lines",
  permission: signedIn,
  params: z.object({ name: objectName("sign-in") }),
  responses: { 204: nothing },
  audit: recorded("logout"),
});

/** Every route of sign-ins from command lines. */
export const deviceRoutes = [
  startDevice,
  takeDeviceToken,
  showDevice,
  approveDevice,
  denyDevice,
  refreshCli,
  revokeCli,
  listCliLogins,
  endCliLogin,
] as const;
