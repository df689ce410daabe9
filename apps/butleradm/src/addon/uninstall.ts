import { ManagementAddon } from "@butler/api";
import { confirmByTyping, type Terminal, withExamples } from "@butler/cli-kit";
import { inSession, type SessionOptions } from "@butler/cli-session";
import { isBeingDeleted } from "@butler/resource";
import { Conflict, InvalidInput } from "@butler/std";
import { Command } from "commander";
import { requireAddon } from "./find-addon.ts";

interface UninstallOptions extends SessionOptions {
  readonly yes?: boolean;
}

/** `butleradm addon uninstall`. */
export function uninstallCommand(terminal: Terminal): Command {
  const command = new Command("uninstall")
    .alias("disable")
    .description("Uninstall an add-on from the management cluster")
    .argument("<addon>", "name of the add-on")
    .option("-y, --yes", "skip the confirmation prompt")
    .action(
      inSession<UninstallOptions>(terminal, async (session, options, name) => {
        const addon = await requireAddon(session, name);
        if (isBeingDeleted(addon)) {
          terminal.say(`${name} is already being removed.`);
          return;
        }
        const question = "Type the name of the add-on to remove it and everything its chart created:";
        if (!options.yes && !(await confirmByTyping(terminal, { word: name, question, flag: "--yes" }))) {
          throw new InvalidInput("the name does not match; nothing was removed");
        }
        const { client, signal } = session;
        await client.delete(ManagementAddon, { name }, { uid: addon.metadata.uid, signal }).catch((error: unknown) => {
          if (error instanceof Conflict)
            throw new Conflict(`${name} was replaced in the meantime; nothing was removed`);
          throw error;
        });
        terminal.say(`${name} is being removed from the management cluster.`);
      }),
    );
  return withExamples(command, ["butleradm addon uninstall metrics-server --yes"]);
}
