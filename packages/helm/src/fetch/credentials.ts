import { createHash } from "node:crypto";
import { InvalidInput } from "@butler/std";

/** What opens a repository. */
export interface RepositoryCredentials {
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** The authority behind the repository's certificate, as PEM; it is trusted besides those of the machine. */
  readonly ca?: string | undefined;
}

/** The header that carries username and password; undefined when there are none. */
export function basicAuthorization({ username = "", password = "" }: RepositoryCredentials = {}): string | undefined {
  if (username === "" && password === "") return undefined;
  // A colon would move the border between the two (RFC 7617 section 2).
  if (username.includes(":") || /\p{Cc}/u.test(username + password)) {
    throw new InvalidInput("the repository's username or password has characters that cannot be sent", {
      hint: "A username has no colon, and neither has a line break; often one slipped in at the end of a file.",
    });
  }
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

/** A name for what is asked as whom, from which nobody can tell the password. */
export function identityOf(parts: readonly (string | undefined)[], credentials: RepositoryCredentials = {}): string {
  const { username, password, ca } = credentials;
  return createHash("sha256")
    .update(JSON.stringify([...parts, username, password, ca].map((part) => part ?? null)))
    .digest("hex");
}
