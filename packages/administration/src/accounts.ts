import { effectivePlatformRole, type User } from "@butler/api";
import { Conflict } from "@butler/std";

/** A name of Kubernetes' for an address; the address itself is kept in the account. */
export function accountName(email: string): string {
  const name = email
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
  return name === "" ? "user" : name.slice(0, 200).replace(/-+$/, "");
}

/** Where an account is in its life, in one word: that it is shut counts for more than what was before. */
export function accountPhase({ spec, status }: User): string {
  return spec.disabled ? "Disabled" : (status?.phase ?? "Pending");
}

/** Whether somebody could set a password by an invitation at this moment. */
export function hasOpenInvitation({ status }: User, now: Date): boolean {
  const expiresAt = status?.inviteExpiresAt;
  return status?.inviteTokenHash !== undefined && expiresAt !== undefined && Date.parse(expiresAt) > now.getTime();
}

/** The patch that sets a role; the older way to say it must not say something else. */
export function planPlatformRole(role: "admin" | "viewer" | null) {
  return { spec: { platformRole: role, isPlatformAdmin: false } };
}

/** Somebody who can let others in stays. */
export function requireAnotherAdmin(user: User, users: readonly User[]): void {
  const isAdmin = ({ spec }: User): boolean => !spec.disabled && effectivePlatformRole(spec) === "admin";
  const others = users.filter((other) => other.metadata.name !== user.metadata.name);
  if (!isAdmin(user) || others.some(isAdmin)) return;
  throw new Conflict(`${user.metadata.name} is the last administrator of the platform`, {
    hint: "Make somebody else an administrator first.",
  });
}
