import { unknownNames } from "@butler/addons";
import { AddonDefinition } from "@butler/api";
import { confirmByTyping, type Terminal, UsageError, withExamples } from "@butler/cli-kit";
import { readList, type Session, type SessionOptions, withSession } from "@butler/cli-session";
import type { KubeObject } from "@butler/resource";
import { Conflict, InvalidInput, nameSome, ignoreNotFound } from "@butler/std";
import { Command, Option } from "commander";
import { requireDefinition, usersOf } from "./catalog-looking.ts";
import { faultLines, faultsAmong, type ReadDefinition, readDefinitions } from "./read-definitions.ts";
import { isBuiltin } from "./views.ts";

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
        for (const { path, message } of unknownNames(definition, given)) {
          terminal.say(
            `${definition.metadata.name}: ${path}: not in these files, so it must already exist in the cluster: ${message}`,
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

function requireFaultless(read: readonly ReadDefinition[]): void {
  const lines = faultLines(read);
  if (lines.length === 0) return;
  throw new InvalidInput([`${lines.length === 1 ? "1 error" : `${lines.length} errors`}:`, ...lines].join("\n  "));
}

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
      if (file.length === 0) throw new UsageError("no file given", { hint: "Pass it with --file." });
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
      terminal.say(`  It is built in: the next upgrade of Butler's chart may overwrite it.`);
    }
  }
}

function outcome(before: AddonDefinition | undefined, after: AddonDefinition): string {
  if (before === undefined) return "created";
  return before.metadata.generation === after.metadata.generation ? "unchanged" : "updated";
}

interface RemoveOptions extends SessionOptions {
  readonly yes?: boolean;
}

/** `butleradm addon catalog remove`. */
export function removeCommand(terminal: Terminal): Command {
  const command = new Command("remove")
    .aliases(["rm", "delete"])
    .description("Remove an unused add-on from the catalog")
    .argument("<addon>", "name of the add-on")
    .option("-y, --yes", "skip the confirmation prompt")
    .action(async (name: string, _options, self: Command) => {
      const options = self.optsWithGlobals<RemoveOptions>();
      await withSession(terminal, options, async (session) => {
        const definition = await requireDefinition(session, name);
        await requireUnused(session, name);
        if (!options.yes) await confirm(terminal, name);
        await remove(session, definition);
        terminal.say(`${name} was removed from the catalog.`);
      });
    });
  return withExamples(command, [
    "butleradm addon catalog remove my-addon",
    "butleradm addon catalog remove my-addon --yes",
  ]);
}

async function requireUnused(session: Session, name: string): Promise<void> {
  const users = await usersOf(session, name);
  if (users.length > 0) {
    throw new Conflict(`${name} is in use by ${nameSome(users)}; nothing was removed`, {
      hint: "Disable it there first.",
    });
  }
  const definitions = await readList(session, AddonDefinition, {});
  const dependents = definitions.filter(({ spec }) => spec.dependsOn?.includes(name));
  if (dependents.length === 0) return;
  const names = dependents.map(({ metadata }) => metadata.name).sort();
  throw new Conflict(`${name} is required by ${nameSome(names)} in the catalog; nothing was removed`, {
    hint: "Remove them first, or change their dependencies.",
  });
}

async function confirm(terminal: Terminal, name: string): Promise<void> {
  const question = "Type the name of the add-on to remove it from the catalog:";
  if (await confirmByTyping(terminal, { word: name, question, flag: "--yes" })) return;
  throw new InvalidInput("the name does not match; nothing was removed");
}

async function remove({ client, signal }: Session, { metadata: { name, uid } }: AddonDefinition): Promise<void> {
  await client.delete(AddonDefinition, { name }, { uid, signal }).catch(ignoreNotFound);
}
