import {
  conditions,
  defineResource,
  email,
  httpUrl,
  observedGeneration,
  type ObjectOf,
  secretRef,
  time,
  withRules,
} from "@butler/resource";
import { z } from "zod";
import { butlerGroup } from "./group.ts";

const googleWorkspace = z.object({
  serviceAccountSecretRef: secretRef().describe(
    "Secret with the key file of a service account, under the key `service-account.json`.",
  ),
  adminEmail: email().describe("E-mail address of the administrator that the service account acts as."),
});

const oidc = z.object({
  issuerURL: withRules(z.string().max(2048), {
    rule: "self.matches('^https://[^ ]+$')",
    message: "must be an https URL such as https://login.example.com",
  }).describe("Address of the issuer; its discovery document lies below it at `/.well-known/openid-configuration`."),
  clientID: z.string().min(1).describe("Client that Butler is registered as."),
  clientSecretRef: secretRef().describe("Secret with the client's secret, under the key `client-secret`."),
  redirectURL: httpUrl("https://butler.example.com/api/auth/callback").describe(
    "Address that people come back to after signing in: the console's address followed by `/api/auth/callback`.",
  ),
  scopes: z.array(z.string()).optional().describe("Scopes that are asked for; when empty, openid, email and profile."),
  groupsClaim: z
    .string()
    .default("groups")
    .describe("Claim of the token that lists the person's groups; an empty text means groups too."),
  emailClaim: z
    .string()
    .default("email")
    .describe("Claim of the token with the person's e-mail address; an empty text means email too."),
  hostedDomain: z
    .string()
    .optional()
    .describe("Google only: domain that accounts must belong to; when empty, any domain."),
  certificateAuthority: z
    .string()
    .max(65_536)
    .optional()
    .describe(
      "Certificates, in PEM form, of the authorities that vouch for the issuer; when empty, those that everybody trusts.",
    ),
  insecureSkipVerify: z
    .boolean()
    .default(false)
    .describe(
      "Whether the issuer's certificate goes unchecked. For development only: it lets anybody pose as the issuer.",
    ),
  googleWorkspace: googleWorkspace
    .optional()
    .describe("Looks groups up in the Google Workspace directory, because Google's tokens carry none."),
});

/** A place where people sign in. */
export const IdentityProvider = defineResource({
  ...butlerGroup,
  kind: "IdentityProvider",
  scope: "Cluster",
  shortNames: ["idp"],
  doc: "IdentityProvider is an OpenID Connect issuer through which people sign in to Butler.",
  spec: withRules(
    z.object({
      type: z.enum(["oidc"]).describe("Protocol of the provider."),
      displayName: z
        .string()
        .optional()
        .describe("Text of the sign-in button; when empty, told from the issuer's address, or else the object's name."),
      oidc: oidc.optional().describe("OpenID Connect settings; required by the type oidc."),
      platformRoleGroups: z
        .array(
          z.object({
            name: z.string().min(1).describe("Group as the groups claim spells it."),
            role: z
              .enum(["admin", "viewer"])
              .describe("Role on the whole platform: admin may do everything, viewer may read everything."),
          }),
        )
        .optional()
        .describe("Groups whose members have a role on the whole platform. Of several roles the highest counts."),
    }),
    {
      rule: "self.type != 'oidc' || has(self.oidc)",
      message: "must be set when type is oidc, with issuerURL, clientID, clientSecretRef and redirectURL",
      reason: "FieldValueRequired",
      fieldPath: ".oidc",
    },
  ),
  status: z.object({
    conditions: conditions("Discovered", "SecretValid", "Ready"),
    phase: z
      .enum(["Pending", "Ready", "Failed"])
      .optional()
      .describe("Whether people can sign in through the provider."),
    observedGeneration: observedGeneration(),
    lastValidatedTime: time().optional().describe("When the settings were last found to work."),
    discoveredEndpoints: z
      .object({
        authorizationEndpoint: z.string().optional().describe("Address that people are sent to for signing in."),
        tokenEndpoint: z.string().optional().describe("Address where codes are exchanged for tokens."),
        userInfoEndpoint: z.string().optional().describe("Address with facts about the person."),
        jwksURI: z.string().optional().describe("Address of the keys that tokens are signed with."),
      })
      .optional()
      .describe("Addresses that the discovery document names."),
    message: z.string().optional().describe("Why the provider is in its phase, for people."),
  }),
  columns: [
    { name: "Type", type: "string", jsonPath: ".spec.type" },
    { name: "Issuer", type: "string", jsonPath: ".spec.oidc.issuerURL" },
    { name: "Phase", type: "string", jsonPath: ".status.phase" },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
  example: {
    apiVersion: "butler.butlerlabs.dev/v1alpha1",
    kind: "IdentityProvider",
    metadata: { name: "company" },
    spec: {
      type: "oidc",
      displayName: "Company account",
      oidc: {
        issuerURL: "https://login.example.com",
        clientID: "butler",
        clientSecretRef: { name: "company-oidc", namespace: "butler-system" },
        redirectURL: "https://butler.example.com/api/auth/callback",
      },
      platformRoleGroups: [{ name: "platform-team", role: "admin" }],
    },
  },
});
export type IdentityProvider = ObjectOf<typeof IdentityProvider>;
