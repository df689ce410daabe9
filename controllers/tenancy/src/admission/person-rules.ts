import { includesRole, platformGroup, teamGroup, teamRoleOf } from "@butler/access";
import { ProviderConfig, Team, type TeamRole, TenantAddon, TenantCluster } from "@butler/api";
import type { AdmissionHandler, AdmissionRequest, AdmissionUser, Denial, KubeClient } from "@butler/kube";
import type { KubeObject } from "@butler/resource";
import { denied } from "./denials.ts";
import { type AuthoritySource, type Identified, identify, isCliAccount, listUsers } from "./requester.ts";
import { environmentOf } from "./tenant-cluster/environment.ts";

/** Where judgements about people are read. */
export interface PersonSource extends AuthoritySource {
  readonly client: Pick<KubeClient, "find" | "list" | "create">;
}

/** What a request needs of somebody who comes by a group of a team. */
export interface RoleNeed {
  readonly team: Team | undefined;
  readonly role: TeamRole;
  /** Those that the request is about, as it was and as it becomes; undefined for what is in none. */
  readonly environments: readonly (string | undefined)[];
}

/**
 * Refuses whoever has an account that is closed to them, in whatever way they come: through the server, at a command
 * line, or with a certificate of Kubernetes' own that nobody can call back.
 */
export function closedDenials({ username }: AdmissionUser, { accounts }: Identified): Denial[] {
  const closed = accounts.find(({ spec }) => spec.disabled);
  if (closed !== undefined) {
    return denied("FORBIDDEN", "", `the account ${closed.metadata.name} of ${closed.spec.email} is disabled`);
  }
  if (accounts.length > 0 || !isCliAccount(username)) return [];
  return denied("FORBIDDEN", "", "the account behind this command line is gone; sign in again");
}

/**
 * Refuses whoever has a role in some environment only and uses it on something in another. Kubernetes cannot tell
 * environments apart: the group that the server puts somebody into for one request is worth the whole namespace.
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
  return denied("FORBIDDEN", "", `this needs the role ${role} in ${where}, which ${person.email} does not have`);
}

/** The handler, asked only about requests of people who are let in. */
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
  // Accounts have addresses; nothing is looked up for the programs that write most of the time.
  const isPerson = username.includes("@") || isCliAccount(username);
  if (!isPerson || source.trustedUsernames.has(username)) return [];
  const identified = identify(userInfo, await listUsers(source.client, signal));
  const closed = closedDenials(userInfo, identified);
  if (closed.length > 0) return closed;
  const need = await readNeed(request, source.client, signal);
  return need === undefined ? [] : roleDenials(userInfo, identified, need);
}

/** What a request needs in the team whose namespace it is in; undefined where teams give no rights. */
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
