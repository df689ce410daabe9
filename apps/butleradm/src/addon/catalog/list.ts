import { AddonDefinition } from "@butler/api";
import { type OutputFormat, outputOption, renderObjects, type Terminal, withExamples } from "@butler/cli-kit";
import { readList, type SessionOptions, withSession } from "@butler/cli-session";
import { withoutManagedFields } from "@butler/resource";
import { Command } from "commander";
import { byName, definitionView } from "../views.ts";

interface ListOptions extends SessionOptions {
  readonly category?: string;
  readonly output: OutputFormat;
  readonly headers: boolean;
}

/** `butleradm addon catalog list`. */
export function listCommand(terminal: Terminal): Command {
  const command = new Command("list")
    .alias("ls")
    .description("List the add-ons in the catalog")
    .option("--category <category>", "only add-ons of this category, such as storage")
    .addOption(outputOption())
    .option("--no-headers", "omit table headers")
    .action(async (_options, self: Command) => {
      const options = self.optsWithGlobals<ListOptions>();
      await withSession(terminal, options, async (session) => {
        const all = (await readList(session, AddonDefinition, {})).sort(byName);
        const shown = all
          .filter(({ spec }) => spec.category === (options.category ?? spec.category))
          .map(withoutManagedFields);
        const { output: format, headers: hasHeader } = options;
        const view = definitionView(() => terminal.clock.now());
        const text = renderObjects(view, shown, { format, hasHeader, paint: terminal.paint });
        if (text !== "") terminal.print(text);
        else if (all.length > 0) terminal.say(`No add-ons in category ${options.category}.`);
        else terminal.say("The catalog is empty. Add add-ons with: butleradm addon catalog add --file deploy/catalog");
      });
    });
  return withExamples(command, ["butleradm addon catalog list", "butleradm addon catalog list --category dns -o wide"]);
}
