import { accountsOf } from "@butler/access";
import { User } from "@butler/api";
import { readList, type Session } from "@butler/cli-session";
import { Conflict, NotFound } from "@butler/std";

/** The account with that name or email address. */
export function pickUser(word: string, users: readonly User[]): User {
  const found = word.includes("@")
    ? accountsOf({ email: word }, users)
    : users.filter(({ metadata }) => metadata.name === word);
  const [user, ...others] = found;
  if (user === undefined) {
    throw new NotFound(`account ${word} not found`, { hint: "List them with: butleradm user list" });
  }
  if (others.length === 0) return user;
  throw new Conflict(`several accounts have the email address ${word}`, {
    hint: `Use one of these names: ${found.map(({ metadata }) => metadata.name).join(", ")}`,
  });
}

/** An account, and all accounts. */
export interface FoundUser {
  readonly user: User;
  readonly users: readonly User[];
}

/** The account with that name or address, and all accounts. */
export async function requireUser(session: Session, word: string): Promise<FoundUser> {
  const users = await readList(session, User, {});
  return { user: pickUser(word, users), users };
}
