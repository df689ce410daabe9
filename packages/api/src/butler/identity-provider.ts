import {
  conditions,
  defineResource,
  email,
  formattedText,
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
    "Secret with the service account's JSON key under the key `service-account.json`.",
  ),
  adminEmail: email().describe("Email address of the administrator that the service account impersonates."),
});

const oidc = z.object({
  issuerURL: withRules(z.string().max(2048), {
    rule: "self.matches('^https://[^ ]+$')",
    message: "must be an https URL such as https://login.example.com",
  }).describe(
    "URL of the issuer, which must serve the discovery document at the path `/.well-known/openid-configuration` below this URL.",
  ),
  clientID: z.string().min(1).describe("OAuth client ID registered for Butler."),
  clientSecretRef: secretRef().describe("Secret with the OAuth client secret under the key `client-secret`."),
  redirectURL: httpUrl("https://butler.example.com/api/auth/callback").describe(
    "URL that users are redirected to after signing in: the console URL followed by `/api/auth/callback`.",
  ),
  scopes: z.array(z.string()).optional().describe("Scopes to request. Defaults to openid, email and profile."),
  groupsClaim: z
    .string()
    .default("groups")
    .describe("Token claim that lists the user's groups. An empty string is treated as `groups`."),
  emailClaim: z
    .string()
    .default("email")
    .describe("Token claim with the user's email address. An empty string is treated as `email`."),
  hostedDomain: z
    .string()
    .optional()
    .describe("Google only: domain that accounts must belong to. If empty, any domain is allowed."),
  domains: z
    .array(
      formattedText({
        pattern: "^[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?([.][A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?)*$",
        message: "must be a domain name such as example.com",
        maxLength: 253,
      }),
    )
    .max(64)
    .optional()
    .describe(
      "Domains that the provider is trusted for. Users with an email address in another domain cannot sign in, and " +
        "groups in another domain (ops@example.com; CN=ops,DC=example,DC=com) are ignored. Subdomains are separate domains. " +
        "If empty, the provider is trusted for all domains.",
    ),
  certificateAuthority: z
    .string()
    .max(65_536)
    .optional()
    .describe("PEM-encoded CA certificates for verifying the issuer. Defaults to the publicly trusted CAs."),
  insecureSkipVerify: z
    .boolean()
    .default(false)
    .describe(
      "Whether to skip verification of the issuer's certificate. For development only: skipping verification allows attackers to impersonate the issuer.",
    ),
  googleWorkspace: googleWorkspace
    .optional()
    .describe(
      "Group lookup in the Google Workspace directory. Required to use groups, because Google's tokens do not contain any.",
    ),
});

/** An identity provider that users sign in with. */
export const IdentityProvider = defineResource({
  ...butlerGroup,
  kind: "IdentityProvider",
  scope: "Cluster",
  shortNames: ["idp"],
  doc: "IdentityProvider configures an OpenID Connect issuer through which users sign in to Butler.",
  spec: withRules(
    z.object({
      type: z.enum(["oidc"]).describe("Protocol of the provider."),
      displayName: z
        .string()
        .optional()
        .describe(
          "Label of the sign-in button. Defaults to a name derived from the issuer URL, or else to the object's name.",
        ),
      oidc: oidc.optional().describe("OpenID Connect settings. Required if type is oidc."),
      platformRoleGroups: z
        .array(
          z.object({
            name: z.string().min(1).describe("Name of the group, as it appears in the groups claim."),
            role: z
              .enum(["admin", "viewer"])
              .describe("Platform role: admin has full access, viewer has read-only access."),
          }),
        )
        .optional()
        .describe("Groups whose members have a platform role. If a user has several roles, the highest one applies."),
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
      .describe("Current phase. Users can sign in while it is Ready."),
    observedGeneration: observedGeneration(),
    lastValidatedTime: time().optional().describe("Time of the last successful validation."),
    discoveredEndpoints: z
      .object({
        authorizationEndpoint: z.string().optional().describe("URL that users are redirected to for sign-in."),
        tokenEndpoint: z.string().optional().describe("URL at which authorization codes are exchanged for tokens."),
        userInfoEndpoint: z.string().optional().describe("URL of the user info endpoint."),
        jwksURI: z.string().optional().describe("URL of the token signing keys."),
      })
      .optional()
      .describe("Endpoints from the discovery document."),
    message: z.string().optional().describe("Human-readable message about the current phase."),
  }),
  columns: {
    Type: ".spec.type",
    Issuer: ".spec.oidc.issuerURL",
    Phase: ".status.phase",
  },
  example: {
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
