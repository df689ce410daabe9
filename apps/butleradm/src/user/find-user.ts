import { accountsOf } from "@butler/access";
import { User } from "@butler/api";
import { readList, type Session } from "@butler/cli-session";
import { Conflict, NotFound } from "@butler/std";

/** The account of that name, or of that e-mail address. */
export function pickUser(word: string, users: readonly User[]): User {
  const found = word.includes("@")
    ? accountsOf({ email: word }, users)
    : users.filter(({ metadata }) => metadata.name === word);
  const [user, ...others] = found;
  if (user === undefined) {
    throw new NotFound(`there is no account ${word}`, { hint: "See those that there are with: butleradm user list" });
  }
  if (others.length === 0) return user;
  throw new Conflict(`several accounts have the address ${word}`, {
    hint: `Name one of them: ${found.map(({ metadata }) => metadata.name).join(", ")}`,
  });
}

/** An account among all others. */
export interface FoundUser {
  readonly user: User;
  readonly users: readonly User[];
}

/** The account of that name or address, and all that there are. */
export async function requireUser(session: Session, word: string): Promise<FoundUser> {
  const users = await readList(session, User, {});
  return { user: pickUser(word, users), users };
}
