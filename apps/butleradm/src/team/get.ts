import { outputOption, renderValue, type Terminal, withExamples } from "@butler/cli-kit";
import { withoutManagedFields } from "@butler/resource";
import { type SessionOptions, withSession } from "@butler/cli-session";
import { Command } from "commander";
import { requireTeam } from "./find-team.ts";
import { describeTeam } from "./team-view.ts";

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
