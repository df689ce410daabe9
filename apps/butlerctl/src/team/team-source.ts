import { membersOf, type TeamMember, type TeamUsage, teamUsageOf } from "@butler/access";
import { ButlerConfig, butlerConfigName, labels, Team, TenantCluster, User } from "@butler/api";
import { UsageError } from "@butler/cli-kit";
import { readList, type Session } from "@butler/cli-session";
import { Forbidden, NotFound } from "@butler/std";
import { fromEither } from "../ask-server.ts";
import { rowOfServed, rowOfTeam, type TeamRow } from "./team-row.ts";

/** All teams that the user can access, sorted by name. */
export async function readTeams(session: Session): Promise<TeamRow[]> {
  const { signal } = session;
  const rows = await fromEither(session, {
    kubernetes: async () => (await readList(session, Team, {})).map(rowOfTeam),
    server: async (client) => {
      const { listTeams, readAllPages } = await import("@butler/contract");
      const teams = await readAllPages(
        (query) => client.call(listTeams, { query }, { signal }),
        (page) => page.teams,
      );
      return teams.map(rowOfServed);
    },
  }).catch((error: unknown) => {
    if (!(error instanceof Forbidden)) throw error;
    throw new Forbidden("you don't have permission to list all teams", {
      hint: 'Show one team with "butlerctl team get NAME", or sign in with "butlerctl login" to list your own teams.',
      details: error.details,
    });
  });
  return rows.sort((left, right) => (left.name < right.name ? -1 : 1));
}

/** One team, with the number of clusters in each of its environments. */
export async function readTeam(session: Session, name: string): Promise<TeamRow> {
  const { signal } = session;
  return fromEither(session, {
    kubernetes: async () => {
      const team = await findTeam(session, name);
      const clusters = await clustersOf(session, team);
      return clusters === undefined ? rowOfTeam(team) : withCounts(rowOfTeam(team), clusters);
    },
    server: async (server) => {
      const { getTeam } = await import("@butler/contract");
      return rowOfServed(await server.call(getTeam, { params: { team: name } }, { signal }));
    },
  });
}

/** All members of a team, sorted by email. Without the server, only those that the Team object names. */
export async function readMembers(session: Session, name: string): Promise<readonly TeamMember[]> {
  const { signal } = session;
  const members = await fromEither(session, {
    kubernetes: async () => {
      const team = await findTeam(session, name);
      return membersOf(team, (await readIfAllowed(() => readList(session, User, {}))) ?? []);
    },
    server: async (server) => {
      const { listMembers, readAllPages } = await import("@butler/contract");
      return readAllPages(
        (query) => server.call(listMembers, { params: { team: name }, query }, { signal }),
        (page): readonly TeamMember[] => page.members,
      );
    },
  });
  return members.toSorted((left, right) => (left.email < right.email ? -1 : 1));
}

/** Usage and limits of a team. */
export async function readUsage(
  session: Session,
  name: string,
): Promise<{ readonly usage: TeamUsage; readonly limits: TeamRow["limits"] }> {
  const { client, signal } = session;
  return fromEither(session, {
    kubernetes: async () => {
      const team = await findTeam(session, name);
      const clusters = await clustersOf(session, team);
      if (clusters === undefined) throw new Forbidden(`you don't have permission to list the clusters in team ${name}`);
      const config = await readIfAllowed(() => client.find(ButlerConfig, { name: butlerConfigName }, signal));
      return { usage: teamUsageOf(team, { clusters, config }), limits: team.spec.resourceLimits };
    },
    server: async (server) => {
      const { getTeam, getTeamUsage } = await import("@butler/contract");
      const params = { team: name };
      const [team, usage] = await Promise.all([
        server.call(getTeam, { params }, { signal }),
        server.call(getTeamUsage, { params }, { signal }),
      ]);
      return { usage: { ...usage, percent: { ...noPercent, ...usage.percent } }, limits: team.resourceLimits };
    },
  });
}

const noPercent = { clusters: undefined, nodes: undefined, cpu: undefined, memory: undefined, storage: undefined };

/** The team of a command: the given one, or the one of the context's namespace. */
export function requireTeam(session: Session, named: string | undefined): string {
  const team = named ?? session.contextNamespace;
  if (team !== undefined) return team;
  throw new UsageError("the team name is required", {
    hint: 'Pass it as an argument, or set a default with "butlerctl context use --team TEAM".',
  });
}

async function findTeam({ client, signal }: Session, name: string): Promise<Team> {
  const team = await client.find(Team, { name }, signal);
  if (team === undefined) throw noTeam(name);
  return team;
}

/** Clusters are in the namespace of their team. */
async function clustersOf(session: Session, { metadata, status }: Team): Promise<TenantCluster[] | undefined> {
  const namespace = status?.namespace ?? metadata.name;
  const found = await readIfAllowed(() => readList(session, TenantCluster, { namespace }));
  return found?.filter(({ spec }) => spec.teamRef === undefined || spec.teamRef.name === metadata.name);
}

function withCounts(row: TeamRow, clusters: readonly TenantCluster[]): TeamRow {
  const environments = row.environments.map((environment) => ({
    ...environment,
    clusters: clusters.filter(({ metadata }) => metadata.labels?.[labels.environment] === environment.name).length,
  }));
  return { ...row, clusters: clusters.length, environments };
}

async function readIfAllowed<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Forbidden || error instanceof NotFound) return undefined;
    throw error;
  }
}

function noTeam(name: string): NotFound {
  return new NotFound(`team "${name}" not found`, { hint: "List the teams you can access with: butlerctl team list" });
}
