import { includesRole, teamRoleOf } from "@butler/access";
import { labels, Team, TenantCluster } from "@butler/api";
import { denied } from "@butler/controller";
import { admissionHandler, type AdmissionRequest, type Denial, type KubeClient, listAll } from "@butler/kube";
import { builtinKinds, type DynamicObject } from "@butler/resource";
import { deepEqual, nameSome } from "@butler/std";
import { clusterNames, isClusterOf } from "../shared/index.ts";
import { type AuthoritySource, readRequester, type Requester } from "./requester.ts";
import { accessDenials } from "./team-access.ts";

/** The input for validating a team. */
export interface TeamInput {
  readonly team: Team;
  readonly before: Team | undefined;
  readonly requester: Requester;
  /** The namespace with the team's name, if it exists. */
  readonly namespace: DynamicObject | undefined;
}

/**
 * Every reason to reject a team or a change to it. Permissions are checked against the old team: in the new one,
 * requesters could have made themselves administrators.
 */
export function decideTeam(input: TeamInput): Denial[] {
  const { team, before } = input;
  if (before !== undefined && deepEqual(before.spec, team.spec)) return [];
  return [
    ...(before === undefined ? nameDenials(input) : []),
    ...authorityDenials(input),
    ...accessDenials(team, before),
  ];
}

/** A team gets a namespace of its name, with permissions for its members: it must not belong to another owner. */
function nameDenials({ team, namespace }: TeamInput): Denial[] {
  const { name } = team.metadata;
  const isReserved = name === "default" || name.startsWith("kube-") || name.startsWith("butler-");
  if (isReserved)
    return denied("NOT_ALLOWED", "metadata.name", `${name} is reserved for the platform; choose another name`);
  if (namespace === undefined || namespace.metadata.labels?.[labels.team] === name) return [];
  return denied(
    "IN_USE",
    "metadata.name",
    `namespace ${name} already exists and does not belong to this team; choose another name`,
  );
}

function authorityDenials({ team, before, requester }: TeamInput): Denial[] {
  if (requester.isTrusted || requester.isPlatformAdmin) return [];
  const hasNewLimits = !deepEqual(before?.spec.resourceLimits, team.spec.resourceLimits);
  const mine = hasNewLimits
    ? denied("FORBIDDEN", "spec.resourceLimits", "can only be set by a platform administrator")
    : [];
  if (before === undefined) {
    const isLimited = (team.spec.environments ?? []).some(({ limits }) => limits !== undefined);
    const message = "limits for a new team can only be set by a platform administrator";
    return [...mine, ...(isLimited ? denied("FORBIDDEN", "spec.environments", message) : [])];
  }
  if (includesRole(teamRoleOf(before, requester.person), "admin")) return mine;
  const fields = (Object.keys({ ...before.spec, ...team.spec }) as (keyof Team["spec"])[]).filter(
    (field) => field !== "resourceLimits" && !deepEqual(before.spec[field], team.spec[field]),
  );
  const message = `can only be changed by an admin of team ${team.metadata.name} or a platform administrator`;
  return [...mine, ...fields.flatMap((field) => denied("FORBIDDEN", `spec.${field}`, message))];
}

/** Every reason to reject the deletion of a team: the clusters that it still has. */
export function decideTeamDeletion({ metadata }: Team, clusters: readonly TenantCluster[]): Denial[] {
  const own = clusters.filter((cluster) => isClusterOf(cluster, metadata.name));
  if (own.length === 0) return [];
  const names = nameSome(clusterNames(own));
  return denied("IN_USE", "", `team ${metadata.name} has ${own.length} cluster(s): ${names}; delete them first`);
}

/** What validating teams needs. */
export interface TeamAdmissionInput extends AuthoritySource {
  readonly client: Pick<KubeClient, "find" | "list" | "create">;
}

/** Validates teams on create, update and delete. */
export function teamAdmission(input: TeamAdmissionInput) {
  return admissionHandler(Team, { validate: (request, signal) => judge(request, input, signal) });
}

async function judge(
  { operation, object: team, oldObject: before, userInfo }: AdmissionRequest<Team>,
  input: TeamAdmissionInput,
  signal: AbortSignal,
): Promise<Denial[]> {
  const { client } = input;
  if (operation === "DELETE" && before !== undefined) {
    const clusters: TenantCluster[] = [];
    // In all namespaces, because clusters that predate these rules may be in others.
    for await (const cluster of listAll(client, TenantCluster, { signal })) clusters.push(cluster);
    return decideTeamDeletion(before, clusters);
  }
  if (team === undefined || (before !== undefined && deepEqual(before.spec, team.spec))) return [];
  const [requester, namespace] = await Promise.all([
    readRequester(userInfo, input, signal),
    client.find(builtinKinds.Namespace, { name: team.metadata.name }, signal),
  ]);
  return decideTeam({ team, before, requester, namespace });
}
