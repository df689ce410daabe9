import type {
  CallInput,
  createIdentityProvider,
  listPresets,
  RouteAnswer,
  testIdentityProvider,
} from "@butler/contract";

/** What is known of a product that people sign in with. */
export type Preset = RouteAnswer<typeof listPresets>["presets"][number];

/** An identity provider as somebody writes it down. */
export interface IdentityForm {
  readonly name: string;
  readonly displayName: string;
  readonly issuerURL: string;
  /** Certificates of the authorities that vouch for the issuer, where not everybody knows them. */
  readonly certificateAuthority: string;
  readonly clientID: string;
  readonly clientSecret: string;
  readonly redirectURL: string;
  readonly scopes: string;
  readonly groupsClaim: string;
  readonly emailClaim: string;
  readonly hostedDomain: string;
  /** One group in each line whose members administer the platform. */
  readonly adminGroups: string;
}

/** The form as a preset fills it; where people come back to is the console's own address. */
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

/** What is wrong with it, by the field. A placeholder that was left in the address is a fault. */
export function identityFaults(form: IdentityForm): Readonly<Partial<Record<keyof IdentityForm, string>>> {
  const placeholder = /\{(\w+)\}/.exec(form.issuerURL)?.[0];
  const isName = form.name.length <= 253 && /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(form.name);
  return {
    ...(!isName && { name: "Lower-case letters, digits, - and . only." }),
    ...(!/^https:\/\/\S+$/.test(form.issuerURL) && { issuerURL: "Write an address that begins with https://." }),
    ...(placeholder !== undefined && { issuerURL: `Put what belongs there in place of ${placeholder}.` }),
    ...(!/^(-----BEGIN CERTIFICATE-----[^]+)?$/.test(form.certificateAuthority.trim()) && {
      certificateAuthority: "Paste certificates in PEM form, beginning with -----BEGIN CERTIFICATE-----.",
    }),
    ...(form.clientID === "" && { clientID: "The product names it when Butler is registered there." }),
    ...(form.clientSecret === "" && { clientSecret: "The product shows it when Butler is registered there." }),
    ...(!/^https?:\/\/\S+$/.test(form.redirectURL) && { redirectURL: "Write an address." }),
  };
}

/** The request that adds it; what was left empty is not sent. */
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

/** The request that tries the issuer before anything is stored. */
export function issuerTestBody(form: IdentityForm): CallInput<typeof testIdentityProvider>["body"] {
  const certificateAuthority = form.certificateAuthority.trim();
  return { issuerURL: form.issuerURL, ...(certificateAuthority !== "" && { certificateAuthority }) };
}
