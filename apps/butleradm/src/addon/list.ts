import { ManagementAddon } from "@butler/api";
import { type OutputFormat, outputOption, renderObjects, type Terminal, withExamples } from "@butler/cli-kit";
import { readList, type SessionOptions, withSession } from "@butler/cli-session";
import { withoutManagedFields } from "@butler/resource";
import { Command } from "commander";
import { byName, managementView } from "./views.ts";

interface ListOptions extends SessionOptions {
  readonly output: OutputFormat;
  readonly headers: boolean;
}

/** `butleradm addon list`. */
export function listCommand(terminal: Terminal): Command {
  const command = new Command("list")
    .alias("ls")
    .description("List the add-ons of the management cluster")
    .addOption(outputOption())
    .option("--no-headers", "omit table headers")
    .action(async (_options, self: Command) => {
      const options = self.optsWithGlobals<ListOptions>();
      await withSession(terminal, options, async (session) => {
        const addons = (await readList(session, ManagementAddon, {})).sort(byName).map(withoutManagedFields);
        const { output: format, headers: hasHeader } = options;
        const view = managementView(() => terminal.clock.now());
        const text = renderObjects(view, addons, { format, hasHeader, paint: terminal.paint });
        if (text !== "") terminal.print(text);
        else terminal.say("No add-ons on the management cluster. Install one with: butleradm addon install");
      });
    });
  return withExamples(command, ["butleradm addon list", "butleradm addon list -o wide"]);
}
