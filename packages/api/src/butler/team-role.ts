/** A role as used for decisions. */
export type TeamRole = "admin" | "operator" | "viewer";

/** A role as stored. `member` is a deprecated alias of operator. */
export type StoredRole = TeamRole | "member";

/** The effective role for a stored one. */
export function effectiveRole(stored: StoredRole): TeamRole {
  return stored === "member" ? "operator" : stored;
}
