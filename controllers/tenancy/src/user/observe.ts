import { normaliseGroup, resolveTeams } from "@butler/access";
import { Team, type User } from "@butler/api";
import type { CacheReader, ObserveContext } from "@butler/controller";
import type { KubeObject } from "@butler/resource";
import type { Observed } from "./plan.ts";

/** The indexes by which people and teams find each other: by e-mail address and by group, as they are compared. */
export const byMember = "team-member";

/** What a person is found by: their address, and the groups of their last sign-in. */
export function identitiesOf(object: KubeObject): string[] {
  const { spec, status } = object as User;
  return identities([spec.email], status?.lastSeenGroups ?? []);
}

/** Whom a team names, in itself or in an environment. */
export function membersOf(object: KubeObject): string[] {
  const { spec } = object as Team;
  const everywhere = [spec.access, ...(spec.environments ?? []).map(({ access }) => access)];
  return identities(
    everywhere.flatMap((access) => access?.users ?? []).map(({ name }) => name),
    everywhere.flatMap((access) => access?.groups ?? []).map(({ name }) => name),
  );
}

/** Works out a person's teams from those teams alone that name them or a group of theirs. */
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
    ...emails.map((email) => `user ${email.trim().toLowerCase()}`),
    ...groups.map((group) => `group ${normaliseGroup(group)}`),
  ];
  return [...new Set(all)];
}
