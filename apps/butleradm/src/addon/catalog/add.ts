import { unknownNames } from "@butler/addons";
import { AddonDefinition } from "@butler/api";
import { type Terminal, UsageError, withExamples } from "@butler/cli-kit";
import { readList, type Session, type SessionOptions, withSession } from "@butler/cli-session";
import type { KubeObject } from "@butler/resource";
import { Command, Option } from "commander";
import { faultsAmong, type ReadDefinition, readDefinitions, requireFaultless } from "./read-definitions.ts";
import { isBuiltin } from "../views.ts";

interface AddOptions extends SessionOptions {
  readonly file?: readonly string[];
  readonly dryRun?: boolean;
}

/** `butleradm addon catalog add`. */
export function addCommand(terminal: Terminal): Command {
  const command = new Command("add")
    .description("Add or update AddonDefinitions in the catalog")
    .addOption(
      new Option("-f, --file <file>", "file, directory, or - for standard input; may be repeated").argParser(
        (word: string, before: readonly string[] | undefined) => [...(before ?? []), word],
      ),
    )
    .option("--dry-run", "print the changes without applying them")
    .action(async (_options, self: Command) => {
      const options = self.optsWithGlobals<AddOptions>();
      const { file = [] } = options;
      if (file.length === 0) throw new UsageError("no file given", { hint: "Specify one with --file." });
      const given = await readDefinitions(file, terminal.readInput);
      await withSession(terminal, options, (session) => add({ terminal, session, options }, given));
    });
  return withExamples(command, [
    "butleradm addon catalog add -f my-addon.yaml",
    "butleradm addon catalog add -f deploy/catalog --dry-run",
  ]);
}

interface Adding {
  readonly terminal: Terminal;
  readonly session: Session;
  readonly options: AddOptions;
}

/** Validates all definitions before sending the first, so that an invalid one leaves the catalog unchanged. */
async function add({ terminal, session, options }: Adding, given: readonly ReadDefinition[]): Promise<void> {
  const there = await readList(session, AddonDefinition, {});
  const read = faultsAmong(given, there);
  const all = [...there, ...read.flatMap(({ definition }) => (definition === undefined ? [] : [definition]))];
  requireFaultless(
    read.map((each) =>
      each.definition === undefined
        ? each
        : { ...each, faults: [...each.faults, ...unknownNames(each.definition, all)] },
    ),
  );
  for (const { written, definition } of read) {
    if (definition === undefined) continue;
    const before = there.find(({ metadata }) => metadata.name === definition.metadata.name);
    const after = await session.client.apply(AddonDefinition, written as unknown as KubeObject, {
      fieldManager: "butleradm",
      force: true,
      fieldValidation: "Strict",
      dryRun: options.dryRun,
      signal: session.signal,
    });
    terminal.say(`${definition.metadata.name} ${outcome(before, after)}${options.dryRun ? " (dry run)" : ""}.`);
    if (before !== undefined && isBuiltin(before) && !isBuiltin(definition)) {
      terminal.say(`  This definition is built in: the next Butler chart upgrade may overwrite your changes.`);
    }
  }
}

function outcome(before: AddonDefinition | undefined, after: AddonDefinition): string {
  if (before === undefined) return "created";
  return before.metadata.generation === after.metadata.generation ? "unchanged" : "updated";
}
