import { effectivePlatformRole, type User } from "@butler/api";
import { Conflict } from "@butler/std";

/** A Kubernetes object name for an email address; the address itself is stored in the account. */
export function accountName(email: string): string {
  const name = email
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
  return name === "" ? "user" : name.slice(0, 200).replace(/-+$/, "");
}

/** The phase of an account: Disabled takes precedence over the phase in the status. */
export function accountPhase({ spec, status }: User): string {
  return spec.disabled ? "Disabled" : (status?.phase ?? "Pending");
}

/** Whether the account has a valid invitation. */
export function hasOpenInvitation({ status }: User, now: Date): boolean {
  const expiresAt = status?.inviteExpiresAt;
  return status?.inviteTokenHash !== undefined && expiresAt !== undefined && Date.parse(expiresAt) > now.getTime();
}

/** The patch that sets a platform role, and clears the deprecated field so that the two agree. */
export function planPlatformRole(role: "admin" | "viewer" | null) {
  return { spec: { platformRole: role, isPlatformAdmin: false } };
}

/** Throws if the user is the last platform administrator. */
export function requireAnotherAdmin(user: User, users: readonly User[]): void {
  const isAdmin = ({ spec }: User): boolean => !spec.disabled && effectivePlatformRole(spec) === "admin";
  const others = users.filter((other) => other.metadata.name !== user.metadata.name);
  if (!isAdmin(user) || others.some(isAdmin)) return;
  throw new Conflict(`${user.metadata.name} is the last platform administrator`, {
    hint: "Make another user a platform administrator first.",
  });
}
