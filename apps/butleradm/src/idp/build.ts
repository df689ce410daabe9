import { type NewIdentityProvider, presets } from "@butler/administration";
import { UsageError } from "@butler/cli-kit";
import { InvalidInput } from "@butler/std";
import { requireHttps } from "./test-issuer.ts";

/** Options for a new identity provider. */
export interface ProviderOptions {
  readonly preset?: string;
  readonly issuerUrl?: string;
  readonly clientId: string;
  readonly redirectUrl?: string;
  readonly displayName?: string;
  readonly scope?: readonly string[];
  readonly groupsClaim?: string;
  readonly emailClaim?: string;
  readonly hostedDomain?: string;
  readonly domain?: readonly string[];
  readonly adminGroup?: readonly string[];
  readonly viewerGroup?: readonly string[];
}

/** The identity provider of the options, with defaults from the preset. */
export function wantedProvider(name: string, options: ProviderOptions, consoleUrl: string): NewIdentityProvider {
  const preset = options.preset === undefined ? undefined : requirePreset(options.preset);
  const issuerURL = options.issuerUrl ?? preset?.issuerURL;
  if (issuerURL === undefined) {
    throw new UsageError("no issuer given", { hint: "Pass --issuer-url, or --preset for a known product." });
  }
  return {
    name,
    displayName: options.displayName ?? preset?.displayName,
    platformRoleGroups: roleGroups(options),
    oidc: {
      issuerURL: requireFilled(issuerURL, options),
      clientID: options.clientId,
      redirectURL: options.redirectUrl ?? `${consoleUrl}/api/auth/callback`,
      ...claimsOf(options, preset),
      hostedDomain: options.hostedDomain,
      domains: options.domain === undefined ? undefined : [...options.domain],
    },
  };
}

function roleGroups({ adminGroup = [], viewerGroup = [] }: ProviderOptions) {
  const groups = [
    ...adminGroup.map((group) => ({ name: group, role: "admin" as const })),
    ...viewerGroup.map((group) => ({ name: group, role: "viewer" as const })),
  ];
  return groups.length === 0 ? undefined : groups;
}

function claimsOf({ scope, groupsClaim, emailClaim }: ProviderOptions, preset: (typeof presets)[number] | undefined) {
  return {
    scopes: scope === undefined ? preset?.scopes : [...scope],
    // A preset whose tokens carry no groups keeps the default claim.
    groupsClaim: groupsClaim ?? (preset?.groupsClaim || undefined),
    emailClaim: emailClaim ?? preset?.emailClaim,
  };
}

function requirePreset(id: string): (typeof presets)[number] {
  const found = presets.find((preset) => preset.id === id);
  if (found !== undefined) return found;
  throw new InvalidInput(`unknown preset "${id}"`, {
    hint: `Available presets: ${presets.map((preset) => preset.id).join(", ")}.`,
  });
}

function requireFilled(issuerURL: string, { preset, issuerUrl }: ProviderOptions): string {
  if (issuerUrl === undefined && issuerURL.includes("{")) {
    throw new UsageError(`the issuer URL of ${preset ?? "the preset"} contains placeholders: ${issuerURL}`, {
      hint: "Pass --issuer-url with all placeholders in braces replaced.",
    });
  }
  return requireHttps(issuerURL);
}
