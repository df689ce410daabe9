import { effectivePlatformRole, type Team, type TeamRole, type TenantCluster, type User } from "@butler/api";
import { type Caller, memberRoleOf, type PlatformRole } from "./caller.ts";
import type { Person } from "./person.ts";
import { teamRoleOf } from "./team-role.ts";

const prefix = "butler-cli-";

/** Name of the ServiceAccount that stands for a person at the command line. It leads back to the account: its uid is in it. */
export function cliAccountName(uid: string): string {
  return `${prefix}${uid}`;
}

/**
 * The account behind a username of Kubernetes such as `system:serviceaccount:butler-system:butler-cli-<uid>`; undefined
 * when it is none of those. Whoever judges a request by its person has to look here first.
 */
export function userOfCliAccount(username: string, namespace: string, users: readonly User[]): User | undefined {
  const start = `system:serviceaccount:${namespace}:${prefix}`;
  if (!username.startsWith(start)) return undefined;
  const uid = username.slice(start.length);
  return users.find(({ metadata }) => metadata.uid === uid && uid !== "");
}

/** The person of an account, with the groups of their last sign-in. */
export function personOfUser({ spec, status }: User): Person {
  return { email: spec.email, groups: status?.lastSeenGroups ?? [], identityProvider: spec.ssoProvider || undefined };
}

/** Who somebody is that signed in earlier, as their account says it now; undefined when they are not to be let in. */
export function callerOfUser(user: User): Caller | undefined {
  const { spec, metadata } = user;
  if (spec.disabled || metadata.deletionTimestamp !== undefined) return undefined;
  return { person: personOfUser(user), platformRole: effectivePlatformRole(spec) };
}

/** A role in one namespace. */
export interface NamespaceGrant {
  readonly namespace: string;
  readonly role: TeamRole;
}

/** Everything that somebody may do with Kubernetes' own tools. */
export interface CliGrants {
  readonly platformRole: PlatformRole | undefined;
  readonly namespaces: readonly NamespaceGrant[];
}

/** What grants are worked out from. */
export interface TenancyFacts {
  readonly teams: readonly Team[];
  readonly clustersOf: (team: string) => readonly TenantCluster[];
  readonly environmentOf: (cluster: TenantCluster) => string | undefined;
}

/**
 * The roles of a person by namespace: in those of their teams, and in those of their teams' clusters. In an environment's
 * clusters the environment's roles count as well; in the team's namespace they are worth a viewer's, because Kubernetes
 * cannot limit a role to some objects of a namespace.
 */
export function cliGrantsOf(user: User, { teams, clustersOf, environmentOf }: TenancyFacts): CliGrants {
  const caller = callerOfUser(user);
  if (caller === undefined) return { platformRole: undefined, namespaces: [] };
  const { person, platformRole } = caller;
  const namespaces = teams.flatMap((team): NamespaceGrant[] => {
    const role = memberRoleOf(team, person);
    if (role === undefined) return [];
    const { name } = team.metadata;
    const ofClusters = clustersOf(name).flatMap((cluster): NamespaceGrant[] => {
      const namespace = cluster.status?.tenantNamespace;
      const inCluster = teamRoleOf(team, person, environmentOf(cluster));
      return namespace === undefined || inCluster === undefined ? [] : [{ namespace, role: inCluster }];
    });
    return [{ namespace: name, role }, ...ofClusters];
  });
  return { platformRole, namespaces };
}
