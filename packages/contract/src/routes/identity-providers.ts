import { IdentityProvider } from "@butler/api";
import { z } from "zod";
import { objectName } from "../names.ts";
import { listQuery, page } from "../paging.ts";
import { onPlatform } from "../permission.ts";
import { defineRoute } from "../route.ts";
import { deletion, objectView } from "../views/object.ts";

const kind = "IdentityProvider";
const view = objectView(IdentityProvider);
const all = "/api/admin/identity-providers";
const params = z.object({ name: objectName("identity provider") });
const issuer = z
  .string()
  .max(2048)
  .regex(/^https:\/\/\S+$/, "must be an https URL")
  .describe("Issuer URL.");
const certificateAuthority = z
  .string()
  .max(65_536)
  .regex(/^\s*-----BEGIN CERTIFICATE-----/, "must be PEM-encoded certificates")
  .optional()
  .describe("PEM-encoded CA certificates for the issuer. Not required for publicly trusted issuers.");

const fields = {
  displayName: z.string().max(200).optional().describe("Sign-in button label."),
  issuerURL: issuer,
  certificateAuthority,
  clientID: z.string().min(1).max(512).describe("ID of the OAuth client registered for Butler."),
  clientSecret: z.string().min(1).max(4096).describe("OAuth client secret. Write-only."),
  redirectURL: z.string().max(2048).describe("Redirect URL: the console URL followed by /api/auth/callback."),
  scopes: z.array(z.string().max(200)).max(32).optional().describe("Requested scopes."),
  groupsClaim: z.string().max(200).optional().describe("Claim that contains the user's groups."),
  emailClaim: z.string().max(200).optional().describe("Claim that contains the user's email address."),
  hostedDomain: z.string().max(253).optional().describe("Google only: Workspace domain that accounts must belong to."),
  domains: z
    .array(z.string().min(1).max(253))
    .max(64)
    .optional()
    .describe(
      "Domains that the provider is trusted for in email addresses and group names. If empty, all domains are trusted.",
    ),
  platformRoleGroups: z
    .array(
      z.strictObject({
        name: z.string().min(1).describe("Name of the group."),
        role: z.enum(["admin", "viewer"]).describe("Platform role."),
      }),
    )
    .max(64)
    .optional()
    .describe("Groups whose members get a platform role."),
};

/** Default settings for an identity provider product. */
export const presetView = z
  .object({
    id: z.string().describe("Name of the preset."),
    displayName: z.string().describe("Name of the product."),
    issuerURL: z.string().describe("Issuer URL, with placeholders in braces."),
    scopes: z.array(z.string()).describe("Scopes to request."),
    groupsClaim: z.string().describe("Claim that contains the groups. Empty if tokens contain no groups."),
    emailClaim: z.string().describe("Claim that contains the email address."),
    notes: z.string().describe("Setup instructions for the product."),
  })
  .meta({ id: "IdentityProviderPreset" });

/** Result of a test of the settings. */
const testResult = z
  .object({
    valid: z.boolean().describe("Whether the issuer returned a valid discovery document."),
    message: z.string().describe("Human-readable result."),
    authorizationEndpoint: z.string().optional().describe("Authorization endpoint."),
    tokenEndpoint: z.string().optional().describe("Token endpoint."),
  })
  .meta({ id: "IdentityProviderTest", examples: [{ valid: true, message: "the issuer is reachable and valid" }] });

export const listIdentityProviders = defineRoute({
  id: "identityProviders.list",
  method: "GET",
  path: all,
  summary: "List identity providers",
  permission: onPlatform("viewer"),
  query: listQuery(["name", "created"], {}),
  responses: { 200: page("identityProviders", view) },
  audit: "none",
});

export const listPresets = defineRoute({
  id: "identityProviders.presets",
  method: "GET",
  path: `${all}/presets`,
  summary: "List identity provider presets",
  permission: onPlatform("viewer"),
  responses: {
    200: z.object({ presets: z.array(presetView).describe("Presets."), total: z.int().describe("Number of presets.") }),
  },
  audit: "none",
});

export const getIdentityProvider = defineRoute({
  id: "identityProviders.get",
  method: "GET",
  path: `${all}/{name}`,
  summary: "Get an identity provider, without its client secret",
  permission: onPlatform("viewer"),
  params,
  responses: { 200: view },
  audit: "none",
});

export const createIdentityProvider = defineRoute({
  id: "identityProviders.create",
  method: "POST",
  path: all,
  summary: "Create an identity provider",
  permission: onPlatform("admin"),
  body: z.strictObject({ name: objectName("identity provider"), ...fields }).meta({
    id: "NewIdentityProvider",
    examples: [
      {
        name: "company",
        issuerURL: "https://login.example.com",
        clientID: "butler",
        clientSecret: "the-secret-of-the-client",
        redirectURL: "https://butler.example.com/api/auth/callback",
      },
    ],
  }),
  responses: { 201: view },
  errors: ["ALREADY_EXISTS"],
  audit: { action: "create", kind },
});

export const updateIdentityProvider = defineRoute({
  id: "identityProviders.update",
  method: "PUT",
  path: `${all}/{name}`,
  summary: "Update an identity provider; absent fields stay unchanged",
  permission: onPlatform("admin"),
  params,
  body: z
    .strictObject({
      ...fields,
      resourceVersion: z.string().min(1).describe("Resource version that the update is based on."),
    })
    .partial()
    .meta({ id: "IdentityProviderChange", examples: [{ displayName: "Company account" }] }),
  responses: { 200: view },
  audit: { action: "update", kind },
});

export const deleteIdentityProvider = defineRoute({
  id: "identityProviders.delete",
  method: "DELETE",
  path: `${all}/{name}`,
  summary: "Delete an identity provider and its client secret, and disable sign-in through it",
  permission: onPlatform("admin"),
  params,
  responses: { 202: deletion },
  audit: { action: "delete", kind },
});

export const testIdentityProvider = defineRoute({
  id: "identityProviders.test",
  method: "POST",
  path: `${all}/test`,
  summary: "Test an issuer without storing it",
  permission: onPlatform("admin"),
  body: z
    .strictObject({ issuerURL: issuer, certificateAuthority })
    .meta({ id: "IssuerTest", examples: [{ issuerURL: "https://login.example.com" }] }),
  responses: { 200: testResult },
  audit: { action: "test", kind },
});

export const validateIdentityProvider = defineRoute({
  id: "identityProviders.validate",
  method: "POST",
  path: `${all}/{name}/validate`,
  summary: "Test the issuer of an identity provider",
  permission: onPlatform("admin"),
  params,
  responses: { 200: testResult },
  audit: { action: "test", kind },
});

/** All routes for identity providers. */
export const identityProviderRoutes = [
  listIdentityProviders,
  listPresets,
  getIdentityProvider,
  createIdentityProvider,
  updateIdentityProvider,
  deleteIdentityProvider,
  testIdentityProvider,
  validateIdentityProvider,
] as const;
