import { clustersOfTeam } from "@butler/administration";
import { labels, Team, TenantCluster } from "@butler/api";
import { type ObjectView, type Terminal, withExamples } from "@butler/cli-kit";
import { readList } from "@butler/cli-session";
import { Command } from "commander";
import { asList, byKey, listAction, type ListOptions } from "../common/listing.ts";
import { requireTeam } from "../team/find-team.ts";

/** An environment of a team, or the clusters without an environment or in one that the team does not define. */
export interface EnvironmentRow {
  readonly team: string;
  readonly environment: string | null;
  /** Whether the team defines the environment. */
  readonly isDefined: boolean;
  readonly clusters: number;
  readonly maxClusters: number | null;
  readonly maxClustersPerMember: number | null;
}

/** The environments of a team, then the clusters outside of them. */
export function environmentRows(team: Team, all: readonly TenantCluster[]): EnvironmentRow[] {
  const clusters = clustersOfTeam(team, all);
  const defined = team.spec.environments ?? [];
  const places = clusters.map(({ metadata }) => metadata.labels?.[labels.environment]);
  const countIn = (name: string | undefined): number => places.filter((place) => place === name).length;
  const { name: teamName } = team.metadata;
  const others = [...new Set(places)].filter((place) => !defined.some(({ name }) => name === place));
  return [
    ...defined.map(({ name, limits }) => ({
      team: teamName,
      environment: name,
      isDefined: true,
      clusters: countIn(name),
      // 0 means no limit here.
      maxClusters: limits?.maxClusters || null,
      maxClustersPerMember: limits?.maxClustersPerMember || null,
    })),
    ...others
      .sort((left = "~", right = "~") => (left < right ? -1 : 1))
      .map((place) => ({
        team: teamName,
        environment: place ?? null,
        isDefined: false,
        clusters: countIn(place),
        maxClusters: null,
        maxClustersPerMember: null,
      })),
  ];
}

const limit = (value: number | null): string => (value === null ? "-" : String(value));

const view: ObjectView<EnvironmentRow> = {
  nameOf: ({ team, environment }) => `${team}/${environment ?? ""}`,
  columns: [
    { title: "TEAM", value: ({ team }) => team },
    { title: "ENVIRONMENT", value: ({ environment }) => environment ?? "(none)" },
    { title: "CLUSTERS", value: ({ clusters }) => String(clusters) },
    { title: "MAX CLUSTERS", value: ({ maxClusters }) => limit(maxClusters) },
    { title: "MAX PER MEMBER", value: ({ maxClustersPerMember }) => limit(maxClustersPerMember) },
    {
      title: "NOTE",
      value: ({ isDefined, environment }) => (isDefined || environment === null ? "" : "not defined by the team"),
      style: () => "bad",
    },
  ],
};

interface EnvironmentListOptions extends ListOptions {
  readonly team?: string;
}

/** `butleradm env list`. */
export function listCommand(terminal: Terminal): Command {
  const command = asList(new Command("list"))
    .alias("ls")
    .description("List team environments and their cluster counts, including clusters without an environment")
    .option("--team <team>", "list only environments of this team")
    .action(
      listAction<EnvironmentRow, EnvironmentListOptions>(terminal, async (session, { team }) => {
        const teams = team === undefined ? await readList(session, Team, {}) : [await requireTeam(session, team)];
        const clusters = await readList(session, TenantCluster, {});
        const objects = teams.sort(byKey).flatMap((each) => environmentRows(each, clusters));
        const whenEmpty =
          "No environments found. Create a team with environments: butleradm team create TEAM --environment ENVIRONMENT";
        return { view, objects, whenEmpty };
      }),
    );
  return withExamples(command, ["butleradm env list", "butleradm env list --team payments"]);
}
