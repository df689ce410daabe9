import { valueAt } from "@butler/std";
import type { SignInRefusal } from "./identity.ts";
import { domainOfGroup, isReservedGroup, maySpeakFor } from "./group-names.ts";
import { foldName, isPlainName, trimAscii } from "./plain-names.ts";

/** Names of the claims of an identity provider. */
export interface ClaimSettings {
  readonly emailClaim?: string | undefined;
  readonly groupsClaim?: string | undefined;
  readonly hostedDomain?: string | undefined;
  /** Domains that the provider may speak for; empty for all. */
  readonly domains?: readonly string[] | undefined;
}

/** A user as described by a provider. */
export interface ClaimedPerson {
  readonly email: string;
  readonly displayName: string | undefined;
  readonly picture: string | undefined;
  readonly groups: readonly string[];
}

type Claims = Readonly<Record<string, unknown>>;

/** More groups or longer names are dropped: they would not fit into a Kubernetes object. */
const mostGroups = 1_000;
const longestGroup = 256;

/** Reads the claims about a user, or returns why the sign-in is refused. */
export function readClaims(
  claims: Claims,
  { emailClaim, groupsClaim, hostedDomain, domains }: ClaimSettings,
): ClaimedPerson | { readonly refusal: SignInRefusal } {
  const nameOfEmail = emailClaim || "email";
  const email = foldName(textAt(claims, nameOfEmail) ?? "");
  if (!isAddress(email)) return { refusal: "email_missing" };
  if (!isVerified(claims, nameOfEmail)) return { refusal: "email_unverified" };
  if (hostedDomain && textAt(claims, "hd")?.toLowerCase() !== hostedDomain.toLowerCase()) {
    return { refusal: "domain_refused" };
  }
  if (!maySpeakFor(email.slice(email.lastIndexOf("@") + 1), domains)) return { refusal: "domain_refused" };
  return {
    email,
    displayName: textAt(claims, "name")?.slice(0, 200),
    picture: httpsOnly(textAt(claims, "picture")),
    groups: acceptedGroups(namesAt(claims, groupsClaim || "groups"), domains),
  };
}

/**
 * The same form as for impersonation: no colons, because names with colons are reserved by Kubernetes, and no characters
 * that stand for others, which would make this the address of another user.
 */
function isAddress(email: string): boolean {
  return /^[^\s:@]+@[^\s:@]+$/.test(email) && email.length <= 254 && isPlainName(email);
}

/**
 * The standard claim is accepted only if email_verified is true. A custom claim was chosen by an administrator, for
 * providers whose user names are email addresses; there email_verified must only not be false.
 */
function isVerified(claims: Claims, emailClaim: string): boolean {
  const word = claims["email_verified"];
  if (emailClaim === "email") return word === true || word === "true";
  return word !== false && word !== "false";
}

/**
 * The groups of a user that a provider may assert: none with a reserved name, and none of a domain that it may not speak
 * for.
 */
export function acceptedGroups(names: readonly string[], domains?: readonly string[]): string[] {
  const fitting = names.map(trimAscii).filter((name) => name !== "" && name.length <= longestGroup);
  const own = fitting.filter((name) => !isReservedGroup(name) && maySpeakFor(domainOfGroup(name), domains));
  return [...new Set(own)].sort().slice(0, mostGroups);
}

function namesAt(claims: Claims, path: string): string[] {
  const value = claimAt(claims, path);
  const all: unknown[] = Array.isArray(value) ? value : [value];
  return all.filter((name): name is string => typeof name === "string");
}

function textAt(claims: Claims, path: string): string | undefined {
  const value = claimAt(claims, path);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The claim with this exact name, which may contain dots, otherwise the value at the dotted path. */
function claimAt(claims: Claims, path: string): unknown {
  return Object.hasOwn(claims, path) ? claims[path] : valueAt(claims, path);
}

function httpsOnly(address: string | undefined): string | undefined {
  return address !== undefined && address.length <= 2_048 && address.startsWith("https://") ? address : undefined;
}
