import { type Terminal, withExamples } from "@butler/cli-kit";
import { withoutManagedFields } from "@butler/resource";
import { Command } from "commander";
import { asDetails } from "../common/showing.ts";
import { requireTeam } from "./find-team.ts";
import { describeTeam } from "./team-view.ts";

/** `butleradm team get`. */
export function getCommand(terminal: Terminal): Command {
  const command = new Command("get")
    .alias("show")
    .description("Show a team and its members")
    .argument("<team>", "name of the team");
  asDetails(command, terminal, async (session, name) => {
    const object = withoutManagedFields(await requireTeam(session, name));
    return { object, lines: () => describeTeam(object, terminal.clock.now()) };
  });
  return withExamples(command, ["butleradm team get payments", "butleradm team get payments -o yaml"]);
}
