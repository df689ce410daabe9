import type { Team } from "@butler/api";
import { ageOf, type ObjectView, type Style } from "@butler/cli-kit";
import type { listTeams, RouteAnswer } from "@butler/contract";

/** A team as the server shows it. */
export type ServedTeam = RouteAnswer<typeof listTeams>["teams"][number];

/** An environment of a team. */
export interface EnvironmentRow {
  readonly team: string;
  readonly name: string;
  readonly description: string;
  /** Undefined when the clusters cannot be counted. */
  readonly clusters: number | undefined;
  readonly maxClusters: number | undefined;
  readonly maxClustersPerMember: number | undefined;
  readonly kubernetesVersion: string | undefined;
  readonly workers: number | undefined;
}

/** A team as shown to users, from Kubernetes or from the server. */
export interface TeamRow {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly namespace: string;
  readonly phase: string;
  /** The role of the user in it; undefined when unknown. */
  readonly role: string | undefined;
  readonly clusters: number | undefined;
  readonly members: number;
  readonly groups: number;
  readonly environments: readonly EnvironmentRow[];
  readonly limits: Team["spec"]["resourceLimits"];
  readonly quota: string | undefined;
  readonly createdAt: string;
}

type Environment = NonNullable<Team["spec"]["environments"]>[number];

/** A Team object as a row. */
export function rowOfTeam({ metadata, spec, status }: Team): TeamRow {
  const { name, creationTimestamp: createdAt = "" } = metadata;
  const { users = [], groups = [] } = spec.access;
  const { namespace = name, phase = "Pending", clusterCount, quotaStatus } = status ?? {};
  return {
    name,
    displayName: spec.displayName || name,
    description: spec.description ?? "",
    namespace,
    phase,
    role: undefined,
    clusters: clusterCount,
    members: new Set(users.map((user) => user.name.trim().toLowerCase())).size,
    groups: groups.length,
    environments: (spec.environments ?? []).map((each) => environmentRow(name, each, undefined)),
    limits: spec.resourceLimits,
    quota: quotaStatus,
    createdAt,
  };
}

/** A team from the server as a row. */
export function rowOfServed(team: ServedTeam): TeamRow {
  const { name, displayName, description, namespace, phase, role } = team;
  return {
    name,
    displayName,
    description,
    namespace,
    phase,
    role,
    clusters: team.clusterCount,
    members: team.memberCount,
    groups: team.groupCount,
    environments: team.environments.map((each) => environmentRow(name, each, each.clusterCount)),
    limits: team.resourceLimits,
    quota: undefined,
    createdAt: team.createdAt,
  };
}

function environmentRow(
  team: string,
  {
    name,
    description = "",
    limits,
    clusterDefaults,
  }: Pick<Environment, "name" | "description" | "limits" | "clusterDefaults">,
  clusters: number | undefined,
): EnvironmentRow {
  return {
    team,
    name,
    description,
    clusters,
    // Here 0 is no limit, as undefined is.
    maxClusters: limits?.maxClusters || undefined,
    maxClustersPerMember: limits?.maxClustersPerMember || undefined,
    kubernetesVersion: clusterDefaults?.kubernetesVersion,
    workers: clusterDefaults?.workerCount,
  };
}

const orDash = (value: string | number | undefined): string =>
  value === undefined || value === "" ? "-" : String(value);
const phaseStyles: Readonly<Record<string, Style>> = { Ready: "good", Failed: "bad", Terminating: "leaving" };
const quotaStyles: Readonly<Record<string, Style>> = { OK: "good", Warning: "busy", Exceeded: "bad" };

/** How teams are shown in lists. */
export function teamsView(now: () => Date): ObjectView<TeamRow> {
  return {
    nameOf: ({ name }) => `team.butler.butlerlabs.dev/${name}`,
    columns: [
      { title: "NAME", value: ({ name }) => name },
      { title: "PHASE", value: ({ phase }) => phase, style: ({ phase }) => phaseStyles[phase] },
      { title: "ROLE", value: ({ role }) => orDash(role) },
      { title: "CLUSTERS", value: ({ clusters }) => orDash(clusters) },
      { title: "MEMBERS", value: ({ members }) => String(members) },
      { title: "AGE", value: ({ createdAt }) => ageOf(createdAt || undefined, now()) },
      { title: "NAMESPACE", value: ({ namespace }) => namespace, isWide: true },
      { title: "GROUPS", value: ({ groups }) => String(groups), isWide: true },
      {
        title: "ENVIRONMENTS",
        value: ({ environments }) => orDash(environments.map(({ name }) => name).join(",")),
        isWide: true,
      },
      {
        title: "QUOTA",
        value: ({ quota }) => orDash(quota),
        style: ({ quota }) => quotaStyles[quota ?? ""],
        isWide: true,
      },
      { title: "TITLE", value: ({ displayName }) => displayName, isWide: true },
    ],
  };
}

/** How environments are shown in lists. */
export function environmentsView({ hasTeam }: { readonly hasTeam: boolean }): ObjectView<EnvironmentRow> {
  const ofTeam = { title: "TEAM", value: ({ team }: EnvironmentRow) => team };
  return {
    nameOf: ({ team, name }) => `${team}/${name}`,
    columns: [
      ...(hasTeam ? [ofTeam] : []),
      { title: "NAME", value: ({ name }) => name },
      { title: "CLUSTERS", value: ({ clusters }) => orDash(clusters) },
      { title: "LIMIT", value: ({ maxClusters }) => orDash(maxClusters) },
      { title: "PER MEMBER", value: ({ maxClustersPerMember }) => orDash(maxClustersPerMember) },
      { title: "K8S VERSION", value: ({ kubernetesVersion }) => orDash(kubernetesVersion), isWide: true },
      { title: "WORKERS", value: ({ workers }) => orDash(workers), isWide: true },
      { title: "DESCRIPTION", value: ({ description }) => description },
    ],
  };
}
