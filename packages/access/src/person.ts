import { effectivePlatformRole, type User } from "@butler/api";
import { foldName } from "./plain-names.ts";

/** A user as identified by a sign-in or a request. */
export interface Person {
  readonly email: string;
  readonly groups: readonly string[];
  /** Name of the IdentityProvider that the user signed in through; undefined if none or unknown. */
  readonly identityProvider?: string | undefined;
}

/** Whether two spellings of an email address are the same, compared by `foldName`. */
export function isSameEmail(left: string, right: string): boolean {
  return normaliseEmail(left) === normaliseEmail(right) && normaliseEmail(left) !== "";
}

/** The accounts of a user. There should be one; more can only exist from before email addresses had to be unique. */
export function accountsOf({ email }: Pick<Person, "email">, users: readonly User[]): User[] {
  return users.filter(({ spec }) => isSameEmail(spec.email, email));
}

/** Whether a user is a platform administrator: one of their accounts has the role and is not disabled. */
export function isPlatformAdmin(person: Pick<Person, "email">, users: readonly User[]): boolean {
  return accountsOf(person, users).some(({ spec }) => !spec.disabled && effectivePlatformRole(spec) === "admin");
}

function normaliseEmail(email: string): string {
  return foldName(email);
}
