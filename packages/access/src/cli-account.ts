import {
  effectivePlatformRole,
  namespaces,
  type Team,
  type TeamRole,
  type TenantCluster,
  type User,
} from "@butler/api";
import { type Caller, memberRoleOf, platformGroup, type PlatformRole } from "./caller.ts";
import type { Person } from "./person.ts";
import { teamRoleOf } from "./team-role.ts";

const prefix = "butler-cli-";

/** Name of the ServiceAccount of a user's command lines. It contains the uid of the account. */
export function cliAccountName(uid: string): string {
  return `${prefix}${uid}`;
}

/** The namespace of a user's ServiceAccount. It changes with the role, so that no token outlives the role. */
export function cliNamespaceOf(platformRole: PlatformRole | undefined): string {
  return platformRole === "admin" ? namespaces.cliAdmins : namespaces.cli;
}

/**
 * The subjects of a role for platform administrators in one namespace: those the server acts for, and the accounts of
 * their command lines, which need no binding each.
 */
export const platformAdminSubjects = [platformGroup("admin"), `system:serviceaccounts:${namespaces.cliAdmins}`].map(
  (name) => ({ apiGroup: "rbac.authorization.k8s.io", kind: "Group", name }) as const,
);

/** Earlier versions created the accounts in Butler's own namespace; their tokens are valid for an hour. */
const cliUsernames = [namespaces.cli, namespaces.cliAdmins, namespaces.system].map(
  (namespace) => `system:serviceaccount:${namespace}:${prefix}`,
);

/** Whether a username is that of a CLI session, which acts for a user. */
export function isCliAccount(username: string): boolean {
  return cliUsernames.some((start) => username.startsWith(start));
}

/**
 * The account behind a username of Kubernetes such as `system:serviceaccount:butler-cli:butler-cli-<uid>`; undefined
 * for other names. Code that judges a request by its user must call this first.
 */
export function userOfCliAccount(username: string, users: readonly User[]): User | undefined {
  const start = cliUsernames.find((each) => username.startsWith(each));
  if (start === undefined) return undefined;
  const uid = username.slice(start.length);
  return users.find(({ metadata }) => metadata.uid === uid && uid !== "");
}

/** The person of an account, with the groups of their last sign-in. */
export function personOfUser({ spec, status }: User): Person {
  return { email: spec.email, groups: status?.lastSeenGroups ?? [], identityProvider: spec.ssoProvider || undefined };
}

/** The current user of an account that signed in earlier; undefined if it may not sign in. */
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

/** The permissions of a user with Kubernetes' own tools. */
export interface CliGrants {
  readonly platformRole: PlatformRole | undefined;
  readonly namespaces: readonly NamespaceGrant[];
}

/** Input for the grants. */
export interface TenancyFacts {
  readonly teams: readonly Team[];
  readonly clustersOf: (team: string) => readonly TenantCluster[];
  readonly environmentOf: (cluster: TenantCluster) => string | undefined;
}

/**
 * The roles of a user by namespace: those of their teams, and those of their teams' clusters. In an environment's
 * clusters the environment's roles count as well; in the team's namespace they count as viewer, because Kubernetes
 * cannot limit a role to some objects of a namespace.
 */
export function cliGrantsOf(user: User, { teams, clustersOf, environmentOf }: TenancyFacts): CliGrants {
  const caller = callerOfUser(user);
  if (caller === undefined) return { platformRole: undefined, namespaces: [] };
  const { person, platformRole } = caller;
  const grants = teams.flatMap((team): NamespaceGrant[] => {
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
  return { platformRole, namespaces: grants };
}
