import { type Terminal, withExamples } from "@butler/cli-kit";
import { withSession } from "@butler/cli-session";
import { Command } from "commander";
import { withRowsOptions } from "../rows-command.ts";
import { type RowsOptions, showRows } from "../show-rows.ts";
import type { TeamOptions } from "../team/arguments.ts";
import { teamChanges } from "../team/list.ts";
import { environmentsView } from "../team/team-row.ts";
import { readTeam, readTeams } from "../team/team-source.ts";

/** `butlerctl env list`. */
export function listCommand(terminal: Terminal): Command {
  const command = withRowsOptions(
    new Command("list")
      .alias("ls")
      .description("List the environments of a team, or of all teams you can access")
      .option("--team <team>", "name of the team (default: the team that owns the context's namespace)")
      .option("-A, --all-teams", "list environments of all teams you can access"),
  );
  command.action(async (_options, self: Command) => {
    const options = self.optsWithGlobals<TeamOptions & RowsOptions & { readonly allTeams?: boolean }>();
    await withSession(terminal, options, async (session) => {
      const team = options.allTeams ? undefined : (options.team ?? session.contextNamespace);
      await showRows(terminal, options, {
        view: environmentsView({ hasTeam: team === undefined }),
        read: async () => {
          const teams = team === undefined ? await readTeams(session) : [await readTeam(session, team)];
          return teams.flatMap(({ environments }) => environments);
        },
        idOf: ({ team: owner, name }) => `${owner}/${name}`,
        changes: (signal) => teamChanges(session, terminal, signal),
        nothing: team === undefined ? "No environments found." : `Team ${team} has no environments.`,
      });
    });
  });
  return withExamples(command, ["butlerctl env list --team payments", "butlerctl env list -A -o wide"]);
}
