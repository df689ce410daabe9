import { AddonDefinition } from "@butler/api";
import { type Terminal, withExamples } from "@butler/cli-kit";
import { readList } from "@butler/cli-session";
import { withoutManagedFields } from "@butler/resource";
import { Command } from "commander";
import { asList, listAction, type ListOptions } from "../../common/listing.ts";
import { byName, definitionView } from "../views.ts";

interface CatalogListOptions extends ListOptions {
  readonly category?: string;
}

/** `butleradm addon catalog list`. */
export function listCommand(terminal: Terminal): Command {
  const command = asList(
    new Command("list")
      .alias("ls")
      .description("List the add-ons in the catalog")
      .option("--category <category>", "list only add-ons in this category, such as storage"),
  ).action(
    listAction<AddonDefinition, CatalogListOptions>(terminal, async (session, { category }) => {
      const all = (await readList(session, AddonDefinition, {})).sort(byName);
      const shown = all.filter(({ spec }) => spec.category === (category ?? spec.category));
      return {
        view: definitionView(() => terminal.clock.now()),
        objects: shown.map(withoutManagedFields),
        whenEmpty:
          all.length > 0
            ? `No add-ons in category ${category}.`
            : "The catalog is empty. Add add-ons with: butleradm addon catalog add --file deploy/catalog",
      };
    }),
  );
  return withExamples(command, ["butleradm addon catalog list", "butleradm addon catalog list --category dns -o wide"]);
}
