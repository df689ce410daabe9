import { resolveTeams } from "@butler/access";
import { accountPhase, hasOpenInvitation } from "@butler/administration";
import { effectivePlatformRole, type Team, type User } from "@butler/api";
import { ageOf, factLines, type ObjectView, printable, type Style } from "@butler/cli-kit";
import { withoutManagedFields } from "@butler/resource";

const phaseStyles: Readonly<Record<string, Style>> = {
  Active: "good",
  Pending: "busy",
  Locked: "bad",
  Disabled: "faint",
};

/** How accounts are displayed in lists. Never contains anything that can be used to sign in. */
export function userView(now: () => Date): ObjectView<User> {
  return {
    nameOf: ({ metadata }) => `user/${metadata.name}`,
    columns: [
      { title: "NAME", value: ({ metadata }) => metadata.name },
      { title: "EMAIL", value: ({ spec }) => spec.email },
      { title: "PHASE", value: accountPhase, style: (user) => phaseStyles[accountPhase(user)] },
      { title: "SIGN-IN", value: waysIn },
      { title: "PLATFORM ROLE", value: ({ spec }) => effectivePlatformRole(spec) ?? "-" },
      { title: "LAST SIGN-IN", value: ({ status }) => ageOf(status?.lastLoginTime, now()) || "never" },
      { title: "AGE", value: ({ metadata }) => ageOf(metadata.creationTimestamp, now()) },
      { title: "INVITATION EXPIRES", value: (user) => invitedUntil(user, now()) || "-", isWide: true },
      { title: "DISPLAY NAME", value: ({ spec }) => spec.displayName ?? "-", isWide: true },
    ],
  };
}

function waysIn({ spec }: User): string {
  return spec.authType === "internal" ? "password" : (spec.ssoProvider ?? "identity provider");
}

function invitedUntil(user: User, now: Date): string {
  return hasOpenInvitation(user, now) ? (user.status?.inviteExpiresAt ?? "") : "";
}

/** An account for output, without the hash of its invitation. */
export function withoutSecrets(user: User): User {
  const shown = withoutManagedFields(user);
  if (shown.status === undefined) return shown;
  const { inviteTokenHash: _hash, ...status } = shown.status;
  return { ...shown, status };
}

/** One account, line by line. */
export function describeUser(
  user: User,
  { teams, now }: { readonly teams: readonly Team[]; readonly now: Date },
): string[] {
  const { metadata, spec, status } = user;
  const person = { email: spec.email, groups: status?.lastSeenGroups ?? [], identityProvider: spec.ssoProvider };
  const roles = resolveTeams(person, teams).map(({ name, role }) => `${name} (${role})`);
  return factLines([
    ["Name", metadata.name],
    ["Email", printable(spec.email)],
    ["Display name", printable(spec.displayName ?? "")],
    ["Phase", accountPhase(user)],
    ["Locked until", status?.lockedUntil],
    ["Sign-in", waysIn(user)],
    ["Platform role", effectivePlatformRole(spec) ?? "none"],
    ["Teams", roles.join(", ") || "none"],
    ["Invitation expires", invitedUntil(user, now)],
    ["Last sign-in", status?.lastLoginTime ?? "never"],
    ["Age", ageOf(metadata.creationTimestamp, now)],
  ]);
}
