import { unknownNames } from "@butler/addons";
import { type Terminal, withExamples } from "@butler/cli-kit";
import { Command } from "commander";
import { faultsAmong, readDefinitions, requireFaultless } from "./read-definitions.ts";

/** `butleradm addon catalog validate`, which needs no cluster. */
export function validateCommand(terminal: Terminal): Command {
  const command = new Command("validate")
    .description("Validate AddonDefinition files without a cluster")
    .argument("<file...>", "files, directories, or - for standard input")
    .action(async (files: readonly string[]) => {
      const read = faultsAmong(await readDefinitions(files, terminal.readInput), []);
      requireFaultless(read);
      const given = read.flatMap(({ definition }) => (definition === undefined ? [] : [definition]));
      for (const definition of given) {
        for (const { path, name } of unknownNames(definition, given)) {
          terminal.say(
            `${definition.metadata.name}: ${path}: add-on ${name} is not in these files; it must already be in the cluster's catalog`,
          );
        }
      }
      terminal.say(`${read.length === 1 ? "1 definition is" : `${read.length} definitions are`} valid.`);
    });
  return withExamples(command, [
    "butleradm addon catalog validate my-addon.yaml",
    "butleradm addon catalog validate deploy/catalog",
  ]);
}
