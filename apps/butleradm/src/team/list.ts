import { Team } from "@butler/api";
import { type Terminal, withExamples } from "@butler/cli-kit";
import { withoutManagedFields } from "@butler/resource";
import { readList } from "@butler/cli-session";
import { Command } from "commander";
import { asList, byKey, listAction } from "../common/listing.ts";
import { teamView } from "./team-view.ts";

/** `butleradm team list`. */
export function listCommand(terminal: Terminal): Command {
  const command = asList(new Command("list"))
    .alias("ls")
    .description("List the teams")
    .action(
      listAction(terminal, async (session) => {
        const objects = (await readList(session, Team, {})).sort(byKey).map(withoutManagedFields);
        const view = teamView(() => terminal.clock.now());
        const whenEmpty = "No teams found. Create one with: butleradm team create";
        return { view, objects, whenEmpty };
      }),
    );
  return withExamples(command, ["butleradm team list", "butleradm team list -o wide"]);
}
