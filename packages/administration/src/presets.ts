import type { presetView } from "@butler/contract";
import type { z } from "zod";

const standard = { scopes: ["openid", "email", "profile"], groupsClaim: "groups", emailClaim: "email" };

/** Default settings for common identity provider products. */
export const presets: readonly z.output<typeof presetView>[] = [
  {
    id: "google",
    displayName: "Google Workspace",
    issuerURL: "https://accounts.google.com",
    ...standard,
    groupsClaim: "",
    notes:
      "Create an OAuth client of type Web application. Google's tokens do not contain groups; to look them up, configure " +
      "a service account that can read the directory's groups in oidc.googleWorkspace. Set the domain in hostedDomain.",
  },
  {
    id: "entra",
    displayName: "Microsoft Entra ID",
    issuerURL: "https://login.microsoftonline.com/{tenant}/v2.0",
    ...standard,
    // Entra has no email_verified claim; user names are addresses in domains that the tenant owns.
    emailClaim: "preferred_username",
    notes:
      "Register an application with a web redirect URI and a client secret. Add the groups claim to its tokens; the " +
      "claim contains group object IDs unless you configure it to emit names.",
  },
  {
    id: "okta",
    displayName: "Okta",
    issuerURL: "https://{domain}.okta.com",
    scopes: [...standard.scopes, "groups"],
    groupsClaim: "groups",
    emailClaim: "email",
    notes: "Create an OpenID Connect web application, and add a groups claim with a filter for the relevant groups.",
  },
  {
    id: "keycloak",
    displayName: "Keycloak",
    issuerURL: "https://{host}/realms/{realm}",
    ...standard,
    notes: "Create a confidential client with the standard flow, and add a mapper of type Group Membership.",
  },
  {
    id: "auth0",
    displayName: "Auth0",
    issuerURL: "https://{domain}.auth0.com/",
    ...standard,
    groupsClaim: "https://butler/groups",
    notes: "Create a regular web application. Add an action that sets the groups claim; its name must be a URL.",
  },
  {
    id: "generic",
    displayName: "OpenID Connect",
    issuerURL: "https://{issuer}",
    ...standard,
    notes: "Use any issuer with a discovery document that supports the authorization code flow with PKCE.",
  },
];
