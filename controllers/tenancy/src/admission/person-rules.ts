import { includesRole, isCliAccount, platformGroup, teamGroup, teamRoleOf } from "@butler/access";
import { ProviderConfig, Team, type TeamRole, TenantAddon, TenantCluster } from "@butler/api";
import { denied } from "@butler/controller";
import type { AdmissionHandler, AdmissionRequest, AdmissionUser, Denial, KubeClient } from "@butler/kube";
import type { KubeObject } from "@butler/resource";
import { type AuthoritySource, type Identified, identify, listUsers } from "./requester.ts";
import { environmentOf } from "./tenant-cluster/environment.ts";

/** Where the facts for validating people are read. */
export interface PersonSource extends AuthoritySource {
  readonly client: Pick<KubeClient, "find" | "list" | "create">;
}

/** The role that a request requires of a user who acts through a team's group. */
export interface RoleNeed {
  readonly team: Team | undefined;
  readonly role: TeamRole;
  /** The environments of the old and the new object; undefined for an object in no environment. */
  readonly environments: readonly (string | undefined)[];
}

/**
 * Rejects users whose account is disabled, however they authenticate: through the server, with the CLI,
 * or with a Kubernetes client certificate, which cannot be revoked.
 */
export function closedDenials({ username }: AdmissionUser, { accounts }: Identified): Denial[] {
  const closed = accounts.find(({ spec }) => spec.disabled);
  if (closed !== undefined) {
    return denied("FORBIDDEN", "", `the account ${closed.metadata.name} (${closed.spec.email}) is disabled`);
  }
  if (accounts.length > 0 || !isCliAccount(username)) return [];
  return denied("FORBIDDEN", "", "the account of this CLI session no longer exists; sign in again");
}

/**
 * Rejects users who have a role only in some environment and use it on an object in another. Kubernetes RBAC cannot
 * distinguish environments: the group that the server adds for one request is valid in the whole namespace.
 */
export function roleDenials(
  { groups }: AdmissionUser,
  { person }: Identified,
  { team, role, environments }: RoleNeed,
): Denial[] {
  if (team === undefined || groups.includes(platformGroup("admin"))) return [];
  const { name } = team.metadata;
  const comesByTeam = (["admin", "operator", "viewer"] as const).some((each) => groups.includes(teamGroup(name, each)));
  if (!comesByTeam) return [];
  const lacking = environments.filter((environment) => !includesRole(teamRoleOf(team, person, environment), role));
  if (lacking.length === 0) return [];
  const where = lacking[0] === undefined ? `team ${name}` : `environment ${lacking[0]} of team ${name}`;
  return denied("FORBIDDEN", "", `this request requires role ${role} in ${where}, which ${person.email} does not have`);
}

/** Wraps a handler so that it sees only requests of users who are allowed to sign in. */
export function judgingPeople(handler: AdmissionHandler, source: PersonSource): AdmissionHandler {
  if (handler.validate === undefined) return handler;
  return {
    ...handler,
    validate: async (request, signal) => {
      const denials = await personDenials(request, source, signal);
      return denials.length > 0 ? denials : (handler.validate?.(request, signal) ?? []);
    },
  };
}

async function personDenials(request: AdmissionRequest, source: PersonSource, signal: AbortSignal): Promise<Denial[]> {
  const { userInfo } = request;
  const { username } = userInfo;
  // Accounts have email addresses; nothing is read for the components that write most of the time.
  const isPerson = username.includes("@") || isCliAccount(username);
  if (!isPerson || source.trustedUsernames.has(username)) return [];
  const identified = identify(userInfo, await listUsers(source.client, signal));
  const closed = closedDenials(userInfo, identified);
  if (closed.length > 0) return closed;
  const need = await readNeed(request, source.client, signal);
  return need === undefined ? [] : roleDenials(userInfo, identified, need);
}

/** The role that a request requires in the team of its namespace; undefined where teams grant no permissions. */
async function readNeed(
  request: AdmissionRequest,
  client: PersonSource["client"],
  signal: AbortSignal,
): Promise<RoleNeed | undefined> {
  const { namespace, userInfo } = request;
  const isByTeam = namespace !== undefined && userInfo.groups.some((group) => group.startsWith("butler:team:"));
  if (!isByTeam) return undefined;
  const kind = neededRoles.find(({ of }) => of.kind === request.kind.kind && of.group === request.kind.group);
  if (kind === undefined) return undefined;
  const objects = [request.oldObject, request.object].filter((object) => object !== undefined);
  const [team, environments] = await Promise.all([
    client.find(Team, { name: namespace }, signal),
    Promise.all(objects.map((object) => kind.environmentOf(object, { client, namespace, signal }))),
  ]);
  return { team, role: kind.role, environments };
}

interface Reading {
  readonly client: PersonSource["client"];
  readonly namespace: string;
  readonly signal: AbortSignal;
}

interface NeededRole {
  readonly of: typeof TenantCluster | typeof TenantAddon | typeof ProviderConfig;
  readonly role: TeamRole;
  readonly environmentOf: (object: KubeObject, reading: Reading) => Promise<string | undefined>;
}

/** The same roles that are bound in the namespace of a team. */
const neededRoles: readonly NeededRole[] = [
  { of: TenantCluster, role: "operator", environmentOf: (object) => Promise.resolve(environmentOf(object)) },
  {
    of: TenantAddon,
    role: "operator",
    environmentOf: async (object, { client, namespace, signal }) => {
      const { name } = (object as TenantAddon).spec.clusterRef;
      const cluster = await client.find(TenantCluster, { name, namespace }, signal);
      return cluster && environmentOf(cluster);
    },
  },
  { of: ProviderConfig, role: "admin", environmentOf: () => Promise.resolve(undefined) },
];
