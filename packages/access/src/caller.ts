import type { Team, TeamRole } from "@butler/api";
import { InvalidInput } from "@butler/std";
import type { Person } from "./person.ts";
import { teamRoleOf } from "./team-role.ts";

/** What somebody may do on the whole platform: `viewer` reads everything but secrets, `admin` does everything. */
export type PlatformRole = "admin" | "viewer";

/** Whoever is behind a request, as a sign-in has established it. What they may do in teams is found in the Teams. */
export interface Caller {
  readonly person: Person;
  readonly platformRole?: PlatformRole | undefined;
}

/** The team, and where there is one the environment, that a request is about. */
export interface AccessSubject {
  readonly team: Team;
  readonly environment?: string | undefined;
}

/** Whom Kubernetes is told that a request comes from. */
export interface Impersonated {
  readonly user: string;
  readonly groups: readonly string[];
}

/** The group of everybody who has an account. */
export const usersGroup = "butler:users";

/** The group of those who have a role in a team. Only Butler's server puts anybody into it. */
export function teamGroup(team: string, role: TeamRole): string {
  return `butler:team:${team}:${role}`;
}

/** The group of those who have a role on the whole platform. Only Butler's server puts anybody into it. */
export function platformGroup(role: PlatformRole): string {
  return `butler:platform:${role}`;
}

/**
 * The name that Kubernetes knows a person by: their address in lower case. Undefined for what is not the address of a
 * person: names with a colon are Kubernetes' own (`system:admin`) or of a ServiceAccount.
 */
export function kubernetesUserOf(email: string): string | undefined {
  const user = email.trim().toLowerCase();
  return /^[^\s:@]+@[^\s:@]+$/.test(user) ? user : undefined;
}

/**
 * Whom to act as towards Kubernetes: the person's address, and groups that are worked out from Butler's own objects. What
 * a token says about groups never gets here. A role that somebody has in an environment only counts for a request about
 * that environment.
 */
export function impersonatedBy(caller: Caller, teams: readonly Team[], subject?: AccessSubject): Impersonated {
  const user = kubernetesUserOf(caller.person.email);
  if (user === undefined) throw new InvalidInput("this is not the e-mail address of a person");
  const ofTeams = teams.flatMap((team) => {
    const isSubject = team.metadata.name === subject?.team.metadata.name;
    const role = memberRoleOf(team, caller.person, isSubject ? subject?.environment : undefined);
    return role === undefined ? [] : [teamGroup(team.metadata.name, role)];
  });
  const ofPlatform = caller.platformRole === undefined ? [] : [platformGroup(caller.platformRole)];
  return { user, groups: ["system:authenticated", usersGroup, ...ofTeams.sort(), ...ofPlatform] };
}

/**
 * What somebody is in a team, with what an environment adds. Whoever has a role only in some other environment is a
 * viewer of the team, as they are in its namespace.
 */
export function memberRoleOf(team: Team, person: Person, environment?: string): TeamRole | undefined {
  const role = teamRoleOf(team, person, environment);
  const environments = role === undefined ? (team.spec.environments ?? []) : [];
  return role ?? (environments.some(({ name }) => teamRoleOf(team, person, name) !== undefined) ? "viewer" : undefined);
}
