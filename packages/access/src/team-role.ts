import { effectiveRole, type Team, type TeamRole } from "@butler/api";
import { isSameGroup } from "./group-names.ts";
import { isSameEmail, type Person } from "./person.ts";

type Access = Team["spec"]["access"];

/** A team of a user, and the user's role in it. */
export interface TeamMembership {
  readonly name: string;
  readonly role: TeamRole;
}

const rank: Readonly<Record<TeamRole, number>> = { viewer: 1, operator: 2, admin: 3 };

/**
 * The highest role of a user in a team, by name or through a group; undefined when none. In an environment, the roles
 * there count as well: they add to the team's and never lower one.
 */
export function teamRoleOf(team: Team, person: Person, environment?: string): TeamRole | undefined {
  const inEnvironment = team.spec.environments?.find(({ name }) => name === environment)?.access;
  return highest([...rolesIn(team.spec.access, person), ...rolesIn(inEnvironment, person)]);
}

/** All teams of a user, sorted by name. */
export function resolveTeams(person: Person, teams: readonly Team[]): TeamMembership[] {
  return teams
    .flatMap((team) => {
      const role = teamRoleOf(team, person);
      return role === undefined ? [] : [{ name: team.metadata.name, role }];
    })
    .sort((left, right) => (left.name < right.name ? -1 : 1));
}

/** Whether one role includes the other. */
export function includesRole(role: TeamRole | undefined, needed: TeamRole): boolean {
  return role !== undefined && rank[role] >= rank[needed];
}

function rolesIn(access: Access | undefined, person: Person): TeamRole[] {
  const { users = [], groups = [] } = access ?? {};
  const byName = users.filter(({ name }) => isSameEmail(name, person.email));
  const byGroup = groups.filter(({ name, identityProvider = "" }) => {
    const isFromThere = identityProvider === "" || identityProvider === person.identityProvider;
    return isFromThere && person.groups.some((group) => isSameGroup(group, name));
  });
  return [...byName, ...byGroup].map(({ role }) => effectiveRole(role));
}

function highest(roles: readonly TeamRole[]): TeamRole | undefined {
  return [...roles].sort((left, right) => rank[right] - rank[left])[0];
}
