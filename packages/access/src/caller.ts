import type { Team, TeamRole } from "@butler/api";
import { InvalidInput } from "@butler/std";
import type { Person } from "./person.ts";
import { foldName, isPlainName } from "./plain-names.ts";
import { teamRoleOf } from "./team-role.ts";

/** A platform role: `viewer` reads everything but secrets, `admin` does everything. */
export type PlatformRole = "admin" | "viewer";

/** The authenticated user of a request. Their team roles come from the Teams. */
export interface Caller {
  readonly person: Person;
  readonly platformRole?: PlatformRole | undefined;
}

/** The team, and the environment if any, of a request. */
export interface AccessSubject {
  readonly team: Team;
  readonly environment?: string | undefined;
}

/** The user and groups that the server impersonates. */
export interface Impersonated {
  readonly user: string;
  readonly groups: readonly string[];
}

/** The group of all users with an account. */
export const usersGroup = "butler:users";

/** The group of users with a role in a team. Only Butler's server adds users to it. */
export function teamGroup(team: string, role: TeamRole): string {
  return `butler:team:${team}:${role}`;
}

/** The group of users with a platform role. Only Butler's server adds users to it. */
export function platformGroup(role: PlatformRole): string {
  return `butler:platform:${role}`;
}

/**
 * The Kubernetes username of a user: the email address in lower case. Undefined for anything else: names with a colon
 * are reserved by Kubernetes (`system:admin`) or belong to a ServiceAccount.
 */
export function kubernetesUserOf(email: string): string | undefined {
  const user = foldName(email);
  return isPlainName(user) && /^[^\s:@]+@[^\s:@]+$/.test(user) ? user : undefined;
}

/**
 * The user to impersonate: the person's email address, and groups derived from Butler's own objects. Groups in a token
 * are never used. A role in an environment counts only for requests about that environment.
 */
export function impersonatedBy(caller: Caller, teams: readonly Team[], subject?: AccessSubject): Impersonated {
  const user = kubernetesUserOf(caller.person.email);
  if (user === undefined) throw new InvalidInput("not a valid user email address");
  const ofTeams = teams.flatMap((team) => {
    const isSubject = team.metadata.name === subject?.team.metadata.name;
    const role = memberRoleOf(team, caller.person, isSubject ? subject?.environment : undefined);
    return role === undefined ? [] : [teamGroup(team.metadata.name, role)];
  });
  const ofPlatform = caller.platformRole === undefined ? [] : [platformGroup(caller.platformRole)];
  return { user, groups: ["system:authenticated", usersGroup, ...ofTeams.sort(), ...ofPlatform] };
}

/**
 * The role of a user in a team, including the given environment. A user with a role only in another environment is a
 * viewer of the team, as in its namespace.
 */
export function memberRoleOf(team: Team, person: Person, environment?: string): TeamRole | undefined {
  const role = teamRoleOf(team, person, environment);
  const environments = role === undefined ? (team.spec.environments ?? []) : [];
  return role ?? (environments.some(({ name }) => teamRoleOf(team, person, name) !== undefined) ? "viewer" : undefined);
}
