import { effectiveRole, type Team, type TeamRole } from "@butler/api";
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

/**
 * The name by which a group is found: the common name of a distinguished name (`CN=developers,OU=...`), without the
 * domain behind the last `@`, in lower case. Whether two groups are the same, `isSameGroup` says.
 */
export function normaliseGroup(group: string): string {
  const trimmed = group.trim();
  // A comma behind a backslash belongs to the name (RFC 4514, section 2.4).
  const [, commonName] = /^cn=((?:\\.|[^\\,])*)/i.exec(trimmed) ?? [];
  const name = (commonName?.replaceAll(/\\(.)/g, "$1") ?? trimmed).trim();
  const at = name.lastIndexOf("@");
  return (at < 0 ? name : name.slice(0, at)).toLowerCase();
}

/**
 * Whether the name of a group is reserved for Kubernetes (`system:masters`) or Butler (`butler:platform:admin`). Groups
 * of an identity provider or a team with such a name are ignored.
 */
export function isReservedGroup(group: string): boolean {
  return [group.trim().toLowerCase(), normaliseGroup(group)].some((name) => /^(?:butler|system):/.test(name));
}

/**
 * Whether two spellings refer to the same group. One may omit the domain, or the place in the directory, that the other
 * has; if both have one, it must be equal: `admins` of another domain is a different group. Reserved names never match.
 */
export function isSameGroup(left: string, right: string): boolean {
  const name = normaliseGroup(left);
  if (name === "" || name !== normaliseGroup(right) || [left, right].some(isReservedGroup)) return false;
  const [ofLeft, ofRight] = [placeOf(left), placeOf(right)];
  return ofLeft.kind === "" || ofRight.kind === "" || ofLeft.kind !== ofRight.kind || ofLeft.text === ofRight.text;
}

function placeOf(group: string): { readonly kind: "" | "directory" | "domain"; readonly text: string } {
  const text = group.trim().toLowerCase();
  const rest = /^cn=(?:\\.|[^\\,])*,(.*)$/s.exec(text)?.[1];
  if (rest !== undefined) return { kind: "directory", text: rest.trim().replaceAll(/\s*([,=])\s*/g, "$1") };
  const at = text.lastIndexOf("@");
  return at < 0 ? { kind: "", text: "" } : { kind: "domain", text: text.slice(at + 1) };
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
