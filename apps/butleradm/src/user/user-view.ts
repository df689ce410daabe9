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

/** How accounts are shown in lists. Nothing that one could sign in with is ever part of it. */
export function userView(now: () => Date): ObjectView<User> {
  return {
    nameOf: ({ metadata }) => `user/${metadata.name}`,
    columns: [
      { title: "NAME", value: ({ metadata }) => metadata.name },
      { title: "EMAIL", value: ({ spec }) => spec.email },
      { title: "PHASE", value: accountPhase, style: (user) => phaseStyles[accountPhase(user)] },
      { title: "SIGNS IN", value: waysIn },
      { title: "PLATFORM", value: ({ spec }) => effectivePlatformRole(spec) ?? "-" },
      { title: "LAST SEEN", value: ({ status }) => ageOf(status?.lastLoginTime, now()) || "never" },
      { title: "AGE", value: ({ metadata }) => ageOf(metadata.creationTimestamp, now()) },
      { title: "INVITED UNTIL", value: (user) => invitedUntil(user, now()) || "-", isWide: true },
      { title: "TITLE", value: ({ spec }) => spec.displayName ?? "-", isWide: true },
    ],
  };
}

function waysIn({ spec }: User): string {
  return spec.authType === "internal" ? "password" : (spec.ssoProvider ?? "identity provider");
}

function invitedUntil(user: User, now: Date): string {
  return hasOpenInvitation(user, now) ? (user.status?.inviteExpiresAt ?? "") : "";
}

/** An account as it is given to people: without the hash of its invitation. */
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
    ["Address", printable(spec.email)],
    ["Title", printable(spec.displayName ?? "")],
    ["Phase", accountPhase(user)],
    ["Locked until", status?.lockedUntil],
    ["Signs in", waysIn(user)],
    ["On the platform", effectivePlatformRole(spec) ?? "no role"],
    ["Teams", roles.join(", ") || "none"],
    ["Invited until", invitedUntil(user, now)],
    ["Last seen", status?.lastLoginTime ?? "never"],
    ["Age", ageOf(metadata.creationTimestamp, now)],
  ]);
}
