import { type Terminal, withExamples } from "@butler/cli-kit";
import { withoutManagedFields } from "@butler/resource";
import { Command } from "commander";
import { asDetails } from "../common/showing.ts";
import { describeManagement } from "./describe-management.ts";
import { requireAddon } from "./find-addon.ts";

/** `butleradm addon status`. */
export function statusCommand(terminal: Terminal): Command {
  const command = new Command("status")
    .alias("get")
    .description("Show the status of a management cluster add-on")
    .argument("<addon>", "name of the add-on");
  asDetails(command, terminal, async (session, name) => {
    const object = withoutManagedFields(await requireAddon(session, name));
    return { object, lines: () => describeManagement(object, terminal.clock.now()) };
  });
  return withExamples(command, ["butleradm addon status metrics-server"]);
}
