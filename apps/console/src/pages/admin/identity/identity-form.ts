import type {
  CallInput,
  createIdentityProvider,
  listPresets,
  RouteAnswer,
  testIdentityProvider,
} from "@butler/contract";

/** A preset for an identity provider product. */
export type Preset = RouteAnswer<typeof listPresets>["presets"][number];

/** Form state of an identity provider. */
export interface IdentityForm {
  readonly name: string;
  readonly displayName: string;
  readonly issuerURL: string;
  /** CA certificates of the issuer, if it is not publicly trusted. */
  readonly certificateAuthority: string;
  readonly clientID: string;
  readonly clientSecret: string;
  readonly redirectURL: string;
  readonly scopes: string;
  readonly groupsClaim: string;
  readonly emailClaim: string;
  readonly hostedDomain: string;
  /** Groups whose members are platform admins, one per line. */
  readonly adminGroups: string;
}

/** The form filled from a preset. The redirect URL is the console's own origin. */
export function presetForm(preset: Preset, origin: string): IdentityForm {
  return {
    name: preset.id,
    displayName: preset.displayName,
    issuerURL: preset.issuerURL,
    certificateAuthority: "",
    clientID: "",
    clientSecret: "",
    redirectURL: `${origin}/api/auth/callback`,
    scopes: preset.scopes.join(" "),
    groupsClaim: preset.groupsClaim,
    emailClaim: preset.emailClaim,
    hostedDomain: "",
    adminGroups: "",
  };
}

/** Validation errors by field. A placeholder left in the issuer URL is an error. */
export function identityFaults(form: IdentityForm): Readonly<Partial<Record<keyof IdentityForm, string>>> {
  const placeholder = /\{(\w+)\}/.exec(form.issuerURL)?.[0];
  const isName = form.name.length <= 253 && /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(form.name);
  return {
    ...(!isName && { name: "Use lowercase letters, digits, '-' and '.' only." }),
    ...(!/^https:\/\/\S+$/.test(form.issuerURL) && { issuerURL: "Enter a URL that starts with https://." }),
    ...(placeholder !== undefined && { issuerURL: `Replace the placeholder ${placeholder}.` }),
    ...(!/^(-----BEGIN CERTIFICATE-----[^]+)?$/.test(form.certificateAuthority.trim()) && {
      certificateAuthority: "Paste PEM certificates that start with -----BEGIN CERTIFICATE-----.",
    }),
    ...(form.clientID === "" && {
      clientID: "Required. Your identity provider shows this value when you register Butler.",
    }),
    ...(form.clientSecret === "" && {
      clientSecret: "Required. Your identity provider shows this value when you register Butler.",
    }),
    ...(!/^https?:\/\/\S+$/.test(form.redirectURL) && {
      redirectURL: "Enter a URL that starts with http:// or https://.",
    }),
  };
}

/** The create request. Empty fields are omitted. */
export function newIdentityBody(form: IdentityForm): CallInput<typeof createIdentityProvider>["body"] {
  const { name, displayName, issuerURL, clientID, clientSecret, redirectURL, groupsClaim, emailClaim, hostedDomain } =
    form;
  const certificateAuthority = form.certificateAuthority.trim();
  const scopes = form.scopes.split(/[\s,]+/).filter((scope) => scope !== "");
  const groups = form.adminGroups
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return {
    name,
    issuerURL,
    clientID,
    clientSecret,
    redirectURL,
    ...(certificateAuthority !== "" && { certificateAuthority }),
    ...(displayName !== "" && { displayName }),
    ...(scopes.length > 0 && { scopes }),
    ...(groupsClaim !== "" && { groupsClaim }),
    ...(emailClaim !== "" && { emailClaim }),
    ...(hostedDomain !== "" && { hostedDomain }),
    ...(groups.length > 0 && { platformRoleGroups: groups.map((group) => ({ name: group, role: "admin" as const })) }),
  };
}

/** The request that tests the issuer before anything is stored. */
export function issuerTestBody(form: IdentityForm): CallInput<typeof testIdentityProvider>["body"] {
  const certificateAuthority = form.certificateAuthority.trim();
  return { issuerURL: form.issuerURL, ...(certificateAuthority !== "" && { certificateAuthority }) };
}
