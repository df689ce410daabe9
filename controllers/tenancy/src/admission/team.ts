import { includesRole, teamRoleOf } from "@butler/access";
import { labels, Team, TenantCluster } from "@butler/api";
import { type AdmissionHandler, type AdmissionRequest, type Denial, type KubeClient, listAll } from "@butler/kube";
import { builtinKinds, type DynamicObject, isBeingDeleted } from "@butler/resource";
import { deepEqual, nameSome } from "@butler/std";
import { clusterNames, isClusterOf } from "../shared/index.ts";
import { denied } from "./denials.ts";
import { type AuthoritySource, readRequester, type Requester } from "./requester.ts";
import { accessDenials } from "./team-access.ts";

/** Everything that a judgement about a team is made from. */
export interface TeamInput {
  readonly team: Team;
  readonly before: Team | undefined;
  readonly requester: Requester;
  /** The namespace of the team's name, if there is one. */
  readonly namespace: DynamicObject | undefined;
}

/**
 * Every reason to refuse a team or its change. Who may change it is found in the team as it is: in the team as it would
 * become, everybody could be an administrator.
 */
export function decideTeam(input: TeamInput): Denial[] {
  const { team, before } = input;
  if (isBeingDeleted(team) || (before !== undefined && deepEqual(before.spec, team.spec))) return [];
  return [
    ...(before === undefined ? nameDenials(input) : []),
    ...authorityDenials(input),
    ...accessDenials(team, before),
  ];
}

/** A team becomes the namespace of its name, with rights for its members: that must not be anybody else's. */
function nameDenials({ team, namespace }: TeamInput): Denial[] {
  const { name } = team.metadata;
  const isReserved = name === "default" || name.startsWith("kube-") || name.startsWith("butler-");
  if (isReserved) return denied("NOT_ALLOWED", "metadata.name", `${name} is kept for the platform; choose another`);
  if (namespace === undefined || namespace.metadata.labels?.[labels.team] === name) return [];
  return denied("IN_USE", "metadata.name", `there is a namespace ${name} that is not this team's; choose another name`);
}

function authorityDenials({ team, before, requester }: TeamInput): Denial[] {
  if (requester.isTrusted || requester.isPlatformAdmin) return [];
  const hasNewLimits = !deepEqual(before?.spec.resourceLimits, team.spec.resourceLimits);
  const mine = hasNewLimits
    ? denied("FORBIDDEN", "spec.resourceLimits", "can be set by a platform administrator only")
    : [];
  if (before === undefined) {
    const isLimited = (team.spec.environments ?? []).some(({ limits }) => limits !== undefined);
    const message = "limits can be set by a platform administrator only when a team is made";
    return [...mine, ...(isLimited ? denied("FORBIDDEN", "spec.environments", message) : [])];
  }
  if (includesRole(teamRoleOf(before, requester.person), "admin")) return mine;
  const fields = (Object.keys({ ...before.spec, ...team.spec }) as (keyof Team["spec"])[]).filter(
    (field) => field !== "resourceLimits" && !deepEqual(before.spec[field], team.spec[field]),
  );
  const message = `can be changed by an administrator of team ${team.metadata.name} or of the platform only`;
  return [...mine, ...fields.flatMap((field) => denied("FORBIDDEN", `spec.${field}`, message))];
}

/** Every reason to refuse the deletion of a team: the clusters that it still has. */
export function decideTeamDeletion({ metadata }: Team, clusters: readonly TenantCluster[]): Denial[] {
  const own = clusters.filter((cluster) => isClusterOf(cluster, metadata.name));
  if (own.length === 0) return [];
  const names = nameSome(clusterNames(own));
  return denied("IN_USE", "", `team ${metadata.name} has ${own.length} cluster(s): ${names}; delete them first`);
}

/** What judges teams. */
export interface TeamAdmissionInput extends AuthoritySource {
  readonly client: Pick<KubeClient, "find" | "list" | "create">;
}

/** Judges teams when they are made, changed or deleted. */
export function teamAdmission(input: TeamAdmissionInput): AdmissionHandler<typeof Team> {
  return {
    path: "/validate-butler-butlerlabs-dev-v1alpha1-team",
    kind: Team,
    validate: (request, signal) => judge(request, input, signal),
  };
}

async function judge(
  { operation, object: team, oldObject: before, userInfo }: AdmissionRequest<Team>,
  input: TeamAdmissionInput,
  signal: AbortSignal,
): Promise<Denial[]> {
  const { client } = input;
  if (operation === "DELETE" && before !== undefined) {
    const clusters: TenantCluster[] = [];
    // Everywhere, because clusters from before there were rules may be in other namespaces.
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
