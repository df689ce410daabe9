import { Team } from "@butler/api";
import { outputOption, renderValue, type Terminal, withExamples } from "@butler/cli-kit";
import { withoutManagedFields } from "@butler/resource";
import { readList, type SessionOptions, withSession } from "@butler/cli-session";
import { Command } from "commander";
import { asList, byKey, type ListOptions, printList } from "../common/listing.ts";
import { requireTeam } from "./find-team.ts";
import { describeTeam, teamView } from "./team-view.ts";

/** `butleradm team list`. */
export function listCommand(terminal: Terminal): Command {
  const command = asList(new Command("list"))
    .alias("ls")
    .description("List the teams")
    .action(async (_options, self: Command) => {
      const options = self.optsWithGlobals<ListOptions>();
      await withSession(terminal, options, async (session) => {
        const objects = (await readList(session, Team, {})).sort(byKey).map(withoutManagedFields);
        const view = teamView(() => terminal.clock.now());
        const whenEmpty = "No teams found. Create one with: butleradm team create";
        printList(terminal, { view, objects, options, whenEmpty });
      });
    });
  return withExamples(command, ["butleradm team list", "butleradm team list -o wide"]);
}

interface GetOptions extends SessionOptions {
  readonly output: "table" | "json" | "yaml";
}

/** `butleradm team get`. */
export function getCommand(terminal: Terminal): Command {
  const command = new Command("get")
    .alias("show")
    .description("Show a team and its members")
    .argument("<team>", "name of the team")
    .addOption(outputOption(["table", "json", "yaml"]))
    .action(async (name: string, _options, self: Command) => {
      const options = self.optsWithGlobals<GetOptions>();
      await withSession(terminal, options, async (session) => {
        const team = withoutManagedFields(await requireTeam(session, name));
        if (options.output !== "table") terminal.print(renderValue(team, options.output));
        else for (const line of describeTeam(team, terminal.clock.now())) terminal.print(line);
      });
    });
  return withExamples(command, ["butleradm team get payments", "butleradm team get payments -o yaml"]);
}
