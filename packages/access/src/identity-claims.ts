import { valueAt } from "@butler/std";
import type { SignInRefusal } from "./identity.ts";
import { isReservedGroup } from "./team-role.ts";

/** Names of the claims of an identity provider. */
export interface ClaimSettings {
  readonly emailClaim?: string | undefined;
  readonly groupsClaim?: string | undefined;
  readonly hostedDomain?: string | undefined;
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
  { emailClaim, groupsClaim, hostedDomain }: ClaimSettings,
): ClaimedPerson | { readonly refusal: SignInRefusal } {
  const nameOfEmail = emailClaim || "email";
  const email = textAt(claims, nameOfEmail)?.trim().toLowerCase() ?? "";
  // The same form as for impersonation: no colons, because names with colons are reserved by Kubernetes.
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
 * The standard claim is accepted only if email_verified is true. A custom claim was chosen by an administrator, for
 * providers whose user names are email addresses; there email_verified must only not be false.
 */
function isVerified(claims: Claims, emailClaim: string): boolean {
  const word = claims["email_verified"];
  if (emailClaim === "email") return word === true || word === "true";
  return word !== false && word !== "false";
}

function groupsAt(claims: Claims, path: string): string[] {
  const value = claimAt(claims, path);
  const all: unknown[] = Array.isArray(value) ? value : [value];
  const names = all.filter((name): name is string => typeof name === "string");
  const fitting = names.map((name) => name.trim()).filter((name) => name !== "" && name.length <= longestGroup);
  return [...new Set(fitting.filter((name) => !isReservedGroup(name)))].sort().slice(0, mostGroups);
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
