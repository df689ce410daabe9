import { foldName, groupKey, resolveTeams } from "@butler/access";
import { Team, type User } from "@butler/api";
import type { CacheReader, ObserveContext } from "@butler/controller";
import type { KubeObject } from "@butler/resource";
import type { Observed } from "./plan.ts";

/** The indexes of users and teams: by email address and by group, normalized for comparison. */
export const byMember = "team-member";

/** The index keys of a user: the address, and the groups of the last sign-in. */
export function identitiesOf(object: KubeObject): string[] {
  const { spec, status } = object as User;
  return identities([spec.email], status?.lastSeenGroups ?? []);
}

/** The users and groups of a team and its environments. */
export function membersOf(object: KubeObject): string[] {
  const { spec } = object as Team;
  const everywhere = [spec.access, ...(spec.environments ?? []).map(({ access }) => access)];
  return identities(
    everywhere.flatMap((access) => access?.users ?? []).map(({ name }) => name),
    everywhere.flatMap((access) => access?.groups ?? []).map(({ name }) => name),
  );
}

/** Resolves a user's teams from only those teams that list the user or one of the user's groups. */
export function observe({ primary, read }: ObserveContext<typeof User, object>): Observed {
  const { email, ssoProvider } = primary.spec;
  const person = { email, groups: primary.status?.lastSeenGroups ?? [], identityProvider: ssoProvider || undefined };
  return { user: primary, teams: resolveTeams(person, teamsNaming(primary, read)) };
}

function teamsNaming(user: User, read: CacheReader): Team[] {
  const found = identitiesOf(user).flatMap((identity) => read.byIndex(Team, byMember, identity));
  return [...new Map(found.map((team) => [team.metadata.name, team])).values()];
}

function identities(emails: readonly string[], groups: readonly string[]): string[] {
  const all = [
    ...emails.map((email) => `user ${foldName(email)}`),
    ...groups.map((group) => `group ${groupKey(group)}`),
  ];
  return [...new Set(all)];
}
