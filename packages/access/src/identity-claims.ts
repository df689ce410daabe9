import { isRecord } from "@butler/std";
import type { SignInRefusal } from "./identity.ts";
import { isReservedGroup } from "./team-role.ts";

/** Which claims an identity provider is read by. */
export interface ClaimSettings {
  readonly emailClaim?: string | undefined;
  readonly groupsClaim?: string | undefined;
  readonly hostedDomain?: string | undefined;
}

/** What a provider says about a person. */
export interface ClaimedPerson {
  readonly email: string;
  readonly displayName: string | undefined;
  readonly picture: string | undefined;
  readonly groups: readonly string[];
}

type Claims = Readonly<Record<string, unknown>>;

/** More groups, or longer names, are left out: they would not fit into an object of Kubernetes. */
const mostGroups = 1_000;
const longestGroup = 256;

/** Reads what a provider says about a person, or why they cannot be let in with it. */
export function readClaims(
  claims: Claims,
  { emailClaim, groupsClaim, hostedDomain }: ClaimSettings,
): ClaimedPerson | { readonly refusal: SignInRefusal } {
  const nameOfEmail = emailClaim || "email";
  const email = textAt(claims, nameOfEmail)?.trim().toLowerCase() ?? "";
  // The same form that Kubernetes is told: no colons, because names with colons are Kubernetes' own.
  if (!/^[^\s:@]+@[^\s:@]+$/.test(email) || email.length > 254) return { refusal: "email_missing" };
  if (!isVerified(claims, nameOfEmail)) return { refusal: "email_unverified" };
  if (hostedDomain && textAt(claims, "hd")?.toLowerCase() !== hostedDomain.toLowerCase()) {
    return { refusal: "domain_refused" };
  }
  return {
    email,
    displayName: textAt(claims, "name")?.slice(0, 200),
    picture: httpsOnly(textAt(claims, "picture")),
    groups: groupsAt(claims, groupsClaim || "groups"),
  };
}

/**
 * The standard claim counts only with the provider's word that the address belongs to the person. Another claim was
 * chosen by an administrator, for providers whose user names are addresses; there the word only must not be no.
 */
function isVerified(claims: Claims, emailClaim: string): boolean {
  const word = claims["email_verified"];
  if (emailClaim === "email") return word === true || word === "true";
  return word !== false && word !== "false";
}

function groupsAt(claims: Claims, path: string): string[] {
  const value = valueAt(claims, path);
  const all: unknown[] = Array.isArray(value) ? value : [value];
  const names = all.filter((name): name is string => typeof name === "string");
  const fitting = names.map((name) => name.trim()).filter((name) => name !== "" && name.length <= longestGroup);
  return [...new Set(fitting.filter((name) => !isReservedGroup(name)))].sort().slice(0, mostGroups);
}

function textAt(claims: Claims, path: string): string | undefined {
  const value = valueAt(claims, path);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The claim of that very name, which may have dots in it, or else the value that the dots lead to. */
function valueAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  let value: unknown = claims;
  for (const step of path.split(".")) {
    if (!isRecord(value) || !Object.hasOwn(value, step)) return undefined;
    value = value[step];
  }
  return value;
}

function httpsOnly(address: string | undefined): string | undefined {
  return address !== undefined && address.length <= 2_048 && address.startsWith("https://") ? address : undefined;
}
