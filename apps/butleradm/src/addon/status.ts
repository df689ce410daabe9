import { outputOption, renderValue, type Terminal, withExamples } from "@butler/cli-kit";
import { type SessionOptions, withSession } from "@butler/cli-session";
import { withoutManagedFields } from "@butler/resource";
import { Command } from "commander";
import { describeManagement } from "./describe-management.ts";
import { requireAddon } from "./find-addon.ts";

interface StatusOptions extends SessionOptions {
  readonly output: "table" | "json" | "yaml";
}

/** `butleradm addon status`. */
export function statusCommand(terminal: Terminal): Command {
  const command = new Command("status")
    .alias("get")
    .description("Show the status of an add-on of the management cluster")
    .argument("<addon>", "name of the add-on")
    .addOption(outputOption(["table", "json", "yaml"]))
    .action(async (name: string, _options, self: Command) => {
      const options = self.optsWithGlobals<StatusOptions>();
      await withSession(terminal, options, async (session) => {
        const addon = withoutManagedFields(await requireAddon(session, name));
        if (options.output !== "table") terminal.print(renderValue(addon, options.output));
        else for (const line of describeManagement(addon, terminal.clock.now())) terminal.print(line);
      });
    });
  return withExamples(command, ["butleradm addon status metrics-server"]);
}
