/** A role that our code decides with. */
export type TeamRole = "admin" | "operator" | "viewer";

/** A role as stored. `member` is the spelling of older manifests and means operator. */
export type StoredRole = TeamRole | "member";

/** The role that a stored one stands for. */
export function effectiveRole(stored: StoredRole): TeamRole {
  return stored === "member" ? "operator" : stored;
}
