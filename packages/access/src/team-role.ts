import { effectiveRole, type Team, type TeamRole } from "@butler/api";
import { isSameEmail, type Person } from "./person.ts";

type Access = Team["spec"]["access"];

/** A team that a person belongs to, and what they are in it. */
export interface TeamMembership {
  readonly name: string;
  readonly role: TeamRole;
}

const rank: Readonly<Record<TeamRole, number>> = { viewer: 1, operator: 2, admin: 3 };

/**
 * The highest role that a person has in a team, by name or through a group; undefined when none. In an environment, the
 * roles given there count as well: they add to the team's and never lower one.
 */
export function teamRoleOf(team: Team, person: Person, environment?: string): TeamRole | undefined {
  const inEnvironment = team.spec.environments?.find(({ name }) => name === environment)?.access;
  return highest([...rolesIn(team.spec.access, person), ...rolesIn(inEnvironment, person)]);
}

/** Every team that a person belongs to, in the order of the teams' names. */
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

/**
 * The name by which a group is compared: the common name of a distinguished name (`CN=developers,OU=...`), without the
 * domain behind the last `@`, in lower case.
 */
export function normaliseGroup(group: string): string {
  const trimmed = group.trim();
  const [, commonName] = /^cn=([^,]*)/i.exec(trimmed) ?? [];
  const name = (commonName ?? trimmed).trim();
  const at = name.lastIndexOf("@");
  return (at < 0 ? name : name.slice(0, at)).toLowerCase();
}

function rolesIn(access: Access | undefined, person: Person): TeamRole[] {
  const { users = [], groups = [] } = access ?? {};
  const own = new Set(person.groups.map(normaliseGroup).filter((group) => group !== ""));
  const byName = users.filter(({ name }) => isSameEmail(name, person.email));
  const byGroup = groups.filter(({ name, identityProvider = "" }) => {
    const isFromThere = identityProvider === "" || identityProvider === person.identityProvider;
    return isFromThere && own.has(normaliseGroup(name));
  });
  return [...byName, ...byGroup].map(({ role }) => effectiveRole(role));
}

function highest(roles: readonly TeamRole[]): TeamRole | undefined {
  return [...roles].sort((left, right) => rank[right] - rank[left])[0];
}
