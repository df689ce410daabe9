import { effectiveRole, type Team, type TeamRole, type User } from "@butler/api";
import { isSameEmail } from "./person.ts";
import { isSameGroup } from "./group-names.ts";
import { foldName } from "./plain-names.ts";
import { includesRole } from "./team-role.ts";

/** A user with a role in a team, and its source. */
export interface TeamMember {
  readonly email: string;
  /** The address when no other name is known. */
  readonly name: string;
  /** Effective role: the highest of the direct and group roles. */
  readonly role: TeamRole;
  /** By name, through a group, or by name with a higher role than through a group. */
  readonly source: "direct" | "group" | "elevated";
  readonly directRole?: TeamRole | undefined;
  readonly groupRole?: TeamRole | undefined;
  readonly groupName?: string | undefined;
  /** Whether the member has an entry of their own that can be removed. */
  readonly canRemove: boolean;
}

/** All members of a team: the named users, and the users in its groups who have signed in. */
export function membersOf(team: Team, accounts: readonly User[]): TeamMember[] {
  const named = (team.spec.access.users ?? []).map(({ name }) => foldName(name));
  const known = accounts.filter(({ spec }) => !spec.disabled).map(({ spec }) => foldName(spec.email));
  return [...new Set([...named, ...known])].flatMap((email) => memberOf(team, email, accounts) ?? []);
}

/** The role of a user in a team, and its source; undefined if none. */
export function memberOf(team: Team, email: string, accounts: readonly User[]): TeamMember | undefined {
  const account = accounts.find(({ spec }) => isSameEmail(spec.email, email));
  const users = team.spec.access.users ?? [];
  const directRole = highest(
    users.filter(({ name }) => isSameEmail(name, email)).map(({ role }) => effectiveRole(role)),
  );
  const through = groupsOf(team, account);
  const groupRole = highest(through.map(({ role }) => role));
  const role = highest([directRole, groupRole].filter((each) => each !== undefined));
  if (role === undefined) return undefined;
  return {
    email,
    name: account?.spec.displayName ?? email,
    role,
    source: sourceOf(directRole, groupRole),
    directRole,
    groupRole,
    groupName: through.find((each) => each.role === groupRole)?.name,
    canRemove: directRole !== undefined,
  };
}

/** Groups of a team that the user was in at their last sign-in. */
function groupsOf(team: Team, account: User | undefined): { name: string; role: TeamRole }[] {
  const own = account?.status?.lastSeenGroups ?? [];
  const isIn = (name: string): boolean => own.some((group) => isSameGroup(group, name));
  return (team.spec.access.groups ?? [])
    .filter(({ name, identityProvider = "" }) => isIn(name) && isFrom(identityProvider, account))
    .map(({ name, role }) => ({ name, role: effectiveRole(role) }));
}

function sourceOf(direct: TeamRole | undefined, group: TeamRole | undefined): TeamMember["source"] {
  if (direct === undefined) return "group";
  if (group === undefined) return "direct";
  return includesRole(group, direct) ? "group" : "elevated";
}

function isFrom(identityProvider: string, account: User | undefined): boolean {
  return identityProvider === "" || identityProvider === account?.spec.ssoProvider;
}

function highest(roles: readonly TeamRole[]): TeamRole | undefined {
  return (["admin", "operator", "viewer"] as const).find((role) => roles.includes(role));
}
