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
    .regex(/^[A-Za-z\s-]+$/, "must consist of letters, with or without dashes")
    .describe("User code shown by the CLI. Case, spaces and dashes are ignored.");

// Everything but control characters, as ranges: not every OpenAPI tool supports Unicode properties. The ranges exclude
// rather than include: tools that expand a range character by character take minutes for a million characters.
const controlCharacters = "\\x00-\\x1f\\x7f-\\x9f";
const printable = new RegExp(`^[^${controlCharacters}]*$`, "u");

const recorded = (action: string) => ({ action, kind: "CliLogin" });

export const startDevice = defineRoute({
  id: "device.start",
  method: "POST",
  path: "/api/auth/cli/device",
  summary: "Start a CLI sign-in (RFC 8628)",
  permission: anybody,
  body: z
    .object({
      client_name: z
        .string()
        .max(100)
        .regex(printable, "must consist of printable characters")
        .optional()
        .describe("Display name of the client, shown to the approving user. Not trusted."),
    })
    .meta({ id: "DeviceStart", examples: [{ client_name: "butlerctl on laptop" }] }),
  responses: {
    200: z
      .object({
        device_code: z.string().describe("Secret used to fetch the result. Keep it private."),
        user_code: z.string().describe("Code to enter on the verification page, such as BCDF-GHJK."),
        verification_uri: z.string().describe("URL of the verification page."),
        verification_uri_complete: z
          .string()
          .describe("URL of the verification page for this code. Users still have to enter the code there."),
        expires_in: z.int().describe("Seconds until the codes expire."),
        interval: z.int().describe("Minimum polling interval in seconds."),
      })
      .meta({ id: "DeviceCodes" }),
  },
  audit: recorded("begin-login"),
  rate: "strict",
});

/** Credentials of a signed-in command line. */
export const cliCredentials = z
  .object({
    access_token: z.string().describe("Bearer token for requests to this server."),
    token_type: z.literal("Bearer").describe("Access token type."),
    expires_in: z.int().describe("Seconds until the access token and the kubeconfig token expire."),
    expires_at: moment("Expiration time of the access token and the kubeconfig token"),
    refresh_token: z.string().describe("Single-use token to get new credentials. Using it twice ends the session."),
    refresh_expires_at: moment("Expiration time of the refresh token"),
    kubernetes: z
      .object({
        server: z.string().describe("URL of the management cluster's API server."),
        certificate_authority: z.string().describe("PEM-encoded CA certificates for the API server."),
        token: z.string().describe("Token for the user's ServiceAccount."),
      })
      .describe("Access to the management cluster."),
    kubeconfig: z.string().describe("Kubeconfig for the management cluster."),
    user: meView.pick({ email: true, name: true }).describe("The signed-in user."),
  })
  .meta({ id: "CliCredentials" });

export const takeDeviceToken = defineRoute({
  id: "device.token",
  method: "POST",
  path: "/api/auth/cli/token",
  summary: "Fetch the credentials for an approved CLI sign-in (once only)",
  description: "Returns AUTHORIZATION_PENDING until the user approves or denies the request.",
  permission: anybody,
  body: z
    .object({
      device_code: secretText("device_code returned when the sign-in was started."),
      grant_type: z
        .literal("urn:ietf:params:oauth:grant-type:device_code")
        .optional()
        .describe("Grant type (RFC 8628). Optional."),
      client_id: z.string().max(100).optional().describe("Client ID (RFC 8628). Ignored."),
    })
    .meta({ id: "DeviceTokenRequest", examples: [{ device_code: "3q2-7wAB" }] }),
  responses: { 200: cliCredentials },
  errors: ["AUTHORIZATION_PENDING", "SLOW_DOWN", "ACCESS_DENIED", "EXPIRED_TOKEN"],
  audit: recorded("login"),
});

const deviceRequest = z
  .object({
    clientName: z.string().describe("Name that the client reported. Not verified."),
    sourceAddress: z.string().describe("Source IP address of the request."),
    requestedAt: moment("Time of the request"),
    expiresAt: moment("Expiration time of the code"),
    state: z.enum(["pending", "approved", "denied"]).describe("State of the request."),
    grants: z.array(z.string()).describe("Roles that the CLI session gets on approval: all of your roles."),
  })
  .meta({ id: "DeviceRequest" });

export const showDevice = defineRoute({
  id: "device.show",
  method: "GET",
  path: "/api/auth/cli/device",
  summary: "Get a CLI sign-in request",
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
  summary: "Approve a CLI sign-in",
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
  summary: "Deny a CLI sign-in",
  permission: signedIn,
  body: decision,
  responses: { 200: deviceRequest },
  errors: ["NOT_FOUND"],
  audit: recorded("deny-login"),
  rate: "strict",
});

const refreshBody = z
  .object({ refresh_token: secretText("Latest refresh token.") })
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
  summary: "End the CLI session that a refresh token belongs to",
  description: "Succeeds even if the token is unknown.",
  permission: anybody,
  body: refreshBody,
  responses: { 204: nothing },
  audit: recorded("logout"),
});

export const listCliLogins = defineRoute({
  id: "device.logins",
  method: "GET",
  path: "/api/auth/cli/logins",
  summary: "List your CLI sessions",
  permission: signedIn,
  responses: {
    200: z
      .object({
        logins: z
          .array(
            z.object({
              id: z.string().describe("ID of the session."),
              clientName: z.string().describe("Name that the client reported."),
              sourceAddress: z.string().describe("Source IP address of the sign-in."),
              createdAt: moment("Sign-in time"),
              lastUsedAt: moment("Time of the last refresh"),
              expiresAt: moment("Absolute expiration time"),
              isCurrent: z.boolean().describe("Whether this is the session that made the request."),
            }),
          )
          .describe("CLI sessions, newest first."),
      })
      .meta({ id: "CliLogins" }),
  },
  audit: "none",
});

export const endCliLogin = defineRoute({
  id: "device.end",
  method: "DELETE",
  path: "/api/auth/cli/logins/{name}",
  summary: "End one of your CLI sessions",
  permission: signedIn,
  params: z.object({ name: objectName("session") }),
  responses: { 204: nothing },
  audit: recorded("logout"),
});

/** All routes for command-line sign-ins. */
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
