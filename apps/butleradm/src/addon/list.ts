import { ManagementAddon } from "@butler/api";
import { type Terminal, withExamples } from "@butler/cli-kit";
import { readList } from "@butler/cli-session";
import { withoutManagedFields } from "@butler/resource";
import { Command } from "commander";
import { asList, listAction } from "../common/listing.ts";
import { byName, managementView } from "./views.ts";

/** `butleradm addon list`. */
export function listCommand(terminal: Terminal): Command {
  const command = asList(
    new Command("list").alias("ls").description("List the add-ons on the management cluster"),
  ).action(
    listAction(terminal, async (session) => {
      const objects = (await readList(session, ManagementAddon, {})).sort(byName).map(withoutManagedFields);
      const view = managementView(() => terminal.clock.now());
      const whenEmpty = "No add-ons on the management cluster. Install one with: butleradm addon install";
      return { view, objects, whenEmpty };
    }),
  );
  return withExamples(command, ["butleradm addon list", "butleradm addon list -o wide"]);
}
