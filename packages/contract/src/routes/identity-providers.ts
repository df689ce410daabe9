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
  .regex(/^https:\/\/\S+$/, "must be an https address")
  .describe("Address of the issuer.");
const certificateAuthority = z
  .string()
  .max(65_536)
  .regex(/^\s*-----BEGIN CERTIFICATE-----/, "must be certificates in PEM form")
  .optional()
  .describe(
    "Certificates, in PEM form, of the authorities that vouch for the issuer; not needed where everybody does.",
  );

const fields = {
  displayName: z.string().max(200).optional().describe("Text of the sign-in button."),
  issuerURL: issuer,
  certificateAuthority,
  clientID: z.string().min(1).max(512).describe("Client that Butler is registered as."),
  clientSecret: z.string().min(1).max(4096).describe("Secret of the client. It is stored and never shown."),
  redirectURL: z.string().max(2048).describe("The console's address followed by /api/auth/callback."),
  scopes: z.array(z.string().max(200)).max(32).optional().describe("Scopes that are asked for."),
  groupsClaim: z.string().max(200).optional().describe("Claim with the person's groups."),
  emailClaim: z.string().max(200).optional().describe("Claim with the person's e-mail address."),
  hostedDomain: z.string().max(253).optional().describe("Google only: domain that accounts must belong to."),
  platformRoleGroups: z
    .array(
      z.strictObject({
        name: z.string().min(1).describe("The group."),
        role: z.enum(["admin", "viewer"]).describe("The role."),
      }),
    )
    .max(64)
    .optional()
    .describe("Groups whose members have a role on the platform."),
};

/** What is known beforehand about a product that people sign in with. */
export const presetView = z
  .object({
    id: z.string().describe("Name of the preset."),
    displayName: z.string().describe("The product."),
    issuerURL: z.string().describe("Address of the issuer, with what is to be filled in in braces."),
    scopes: z.array(z.string()).describe("Scopes to ask for."),
    groupsClaim: z.string().describe("Claim with the groups; empty when its tokens carry none."),
    emailClaim: z.string().describe("Claim with the address."),
    notes: z.string().describe("What has to be set up at the product, as sentences."),
  })
  .meta({ id: "IdentityProviderPreset" });

/** What a try of the settings has shown. */
const testResult = z
  .object({
    valid: z.boolean().describe("Whether the issuer answers as it should."),
    message: z.string().describe("What was found, as a sentence."),
    authorizationEndpoint: z.string().optional().describe("Where people are sent to."),
    tokenEndpoint: z.string().optional().describe("Where codes are exchanged."),
  })
  .meta({ id: "IdentityProviderTest", examples: [{ valid: true, message: "the issuer answers" }] });

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
  summary: "List what is known about products that people sign in with",
  permission: onPlatform("viewer"),
  responses: {
    200: z.object({ presets: z.array(presetView).describe("The presets."), total: z.int().describe("How many.") }),
  },
  audit: "none",
});

export const getIdentityProvider = defineRoute({
  id: "identityProviders.get",
  method: "GET",
  path: `${all}/{name}`,
  summary: "Show an identity provider, without its secret",
  permission: onPlatform("viewer"),
  params,
  responses: { 200: view },
  audit: "none",
});

export const createIdentityProvider = defineRoute({
  id: "identityProviders.create",
  method: "POST",
  path: all,
  summary: "Add an identity provider",
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
  summary: "Change an identity provider; what is absent stays",
  permission: onPlatform("admin"),
  params,
  body: z
    .strictObject({
      ...fields,
      resourceVersion: z.string().min(1).describe("The version that the change is meant for."),
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
  summary: "Remove an identity provider with its secret; nobody signs in through it from then on",
  permission: onPlatform("admin"),
  params,
  responses: { 202: deletion },
  audit: { action: "delete", kind },
});

export const testIdentityProvider = defineRoute({
  id: "identityProviders.test",
  method: "POST",
  path: `${all}/test`,
  summary: "Ask an issuer for its settings, and store nothing",
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
  summary: "Ask the issuer of an identity provider for its settings",
  permission: onPlatform("admin"),
  params,
  responses: { 200: testResult },
  audit: { action: "test", kind },
});

/** Every route about identity providers. */
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
