import { createHash } from "node:crypto";
import { InvalidInput } from "@butler/std";

/** Credentials of a repository. */
export interface RepositoryCredentials {
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** The CA of the repository's certificate, as PEM; trusted in addition to the system's CAs. */
  readonly ca?: string | undefined;
}

/** The header that carries username and password; undefined when there are none. */
export function basicAuthorization({ username = "", password = "" }: RepositoryCredentials = {}): string | undefined {
  if (username === "" && password === "") return undefined;
  // A colon in the username would be ambiguous (RFC 7617 section 2).
  if (username.includes(":") || /\p{Cc}/u.test(username + password)) {
    throw new InvalidInput("the repository's username or password contains invalid characters", {
      hint: "Remove colons from the username and line breaks from both; a trailing line break in a file is a common cause.",
    });
  }
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

/** A cache key for a request and its credentials that does not reveal the password. */
export function identityOf(parts: readonly (string | undefined)[], credentials: RepositoryCredentials = {}): string {
  const { username, password, ca } = credentials;
  return createHash("sha256")
    .update(JSON.stringify([...parts, username, password, ca].map((part) => part ?? null)))
    .digest("hex");
}
