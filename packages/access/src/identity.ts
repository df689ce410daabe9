import { effectivePlatformRole, type IdentityProvider, type User } from "@butler/api";
import type { PlatformRole } from "./caller.ts";
import { isSameEmail } from "./person.ts";
import { isSameGroup } from "./group-names.ts";

/** Annotation of an account with the issuer that its subject belongs to: names of providers can be reused. */
export const issuerAnnotation = "butler.butlerlabs.dev/sso-issuer";

/** Why a sign-in is refused, for programs. The texts are in the contract. */
export type SignInRefusal =
  | "account_disabled"
  | "account_is_internal"
  | "account_of_other_provider"
  | "subject_changed"
  | "issuer_changed"
  | "email_ambiguous"
  | "email_missing"
  | "email_unverified"
  | "domain_refused";

/** A user as asserted by an identity provider. The address was verified before. */
export interface Identity {
  /** Name of the IdentityProvider. */
  readonly provider: string;
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
}

/** The account that a sign-in through an identity provider maps to. */
export type AccountDecision =
  | { readonly kind: "known"; readonly user: User }
  /** An account created by an administrator that has not been signed in to yet. */
  | { readonly kind: "bind"; readonly user: User }
  | { readonly kind: "new" }
  | { readonly kind: "refused"; readonly reason: SignInRefusal };

/**
 * Finds the account of an identity. It is matched by provider and subject alone; an email address only matches an
 * account that is not bound yet, so that control of an address does not give control of the account.
 */
export function decideAccount(identity: Identity, users: readonly User[]): AccountDecision {
  const own = users.find(({ spec }) => isBoundTo(spec, identity));
  if (own !== undefined) return judgeKnown(own, identity);
  const [user, ...others] = users.filter(({ spec }) => isSameEmail(spec.email, identity.email));
  if (user === undefined) return { kind: "new" };
  if (others.length > 0) return refused("email_ambiguous");
  const { authType, ssoProvider = "", ssoSubject = "", disabled } = user.spec;
  if (authType !== "sso") return refused("account_is_internal");
  if (ssoProvider !== "" && ssoProvider !== identity.provider) return refused("account_of_other_provider");
  if (ssoSubject !== "") return refused("subject_changed");
  return disabled ? refused("account_disabled") : { kind: "bind", user };
}

function judgeKnown(user: User, { issuer }: Identity): AccountDecision {
  if (user.spec.disabled) return refused("account_disabled");
  const boundIssuer = user.metadata.annotations?.[issuerAnnotation] ?? issuer;
  return boundIssuer === issuer ? { kind: "known", user } : refused("issuer_changed");
}

function isBoundTo({ authType, ssoProvider, ssoSubject }: User["spec"], { provider, subject }: Identity): boolean {
  return authType === "sso" && ssoProvider === provider && ssoSubject === subject && subject !== "";
}

function refused(reason: SignInRefusal): AccountDecision {
  return { kind: "refused", reason };
}

/** A Kubernetes name for an email address; the mark distinguishes addresses that map to the same name. */
export function accountNameOf(email: string, mark?: string): string {
  const plain = email
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, 200)
    .replaceAll(/^-+|-+$/g, "");
  return [plain === "" ? "user" : plain, ...(mark === undefined ? [] : [mark])].join("-");
}

/** The platform role of an account: the higher of its own and that of its provider groups. */
export function platformRoleOf(user: User, provider: IdentityProvider | undefined): PlatformRole | undefined {
  const own = effectivePlatformRole(user.spec);
  const groups = user.status?.lastSeenGroups ?? [];
  const isFromThere = user.spec.authType === "sso" && user.spec.ssoProvider === provider?.metadata.name;
  const brought = isFromThere ? (provider?.spec.platformRoleGroups ?? []) : [];
  const roles = brought.filter(({ name }) => groups.some((group) => isSameGroup(group, name))).map(({ role }) => role);
  if (own === "admin" || roles.includes("admin")) return "admin";
  return own ?? roles[0];
}
