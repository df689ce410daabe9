import type { presetView } from "@butler/contract";
import type { z } from "zod";

const standard = { scopes: ["openid", "email", "profile"], groupsClaim: "groups", emailClaim: "email" };

/** What is known about the products that people usually sign in with. */
export const presets: readonly z.output<typeof presetView>[] = [
  {
    id: "google",
    displayName: "Google Workspace",
    issuerURL: "https://accounts.google.com",
    ...standard,
    groupsClaim: "",
    notes:
      "Make an OAuth client of type web application. Google's tokens carry no groups: name a service account that may " +
      "read groups of the directory under oidc.googleWorkspace, and the domain under hostedDomain.",
  },
  {
    id: "entra",
    displayName: "Microsoft Entra ID",
    issuerURL: "https://login.microsoftonline.com/{tenant}/v2.0",
    ...standard,
    // It never says whether an address is verified; user names are addresses of domains that the tenant owns.
    emailClaim: "preferred_username",
    notes:
      "Register an application with a web redirect address and a client secret. Add the groups claim to its token; it " +
      "lists groups by their object id, unless the claim is set to names.",
  },
  {
    id: "okta",
    displayName: "Okta",
    issuerURL: "https://{domain}.okta.com",
    scopes: [...standard.scopes, "groups"],
    groupsClaim: "groups",
    emailClaim: "email",
    notes: "Make an OpenID Connect web application, and add a groups claim with a filter for the groups that matter.",
  },
  {
    id: "keycloak",
    displayName: "Keycloak",
    issuerURL: "https://{host}/realms/{realm}",
    ...standard,
    notes: "Make a confidential client with the standard flow, and give it a mapper of type group membership.",
  },
  {
    id: "auth0",
    displayName: "Auth0",
    issuerURL: "https://{domain}.auth0.com/",
    ...standard,
    groupsClaim: "https://butler/groups",
    notes:
      "Make a regular web application. Groups come from an action that sets the claim; its name must be an address.",
  },
  {
    id: "generic",
    displayName: "OpenID Connect",
    issuerURL: "https://{issuer}",
    ...standard,
    notes: "Any issuer with a discovery document and the authorization code flow with PKCE.",
  },
];
