import { AddonDefinition } from "@butler/api";
import { confirmByTyping, type Terminal, withExamples } from "@butler/cli-kit";
import { inSession, readList, type Session, type SessionOptions } from "@butler/cli-session";
import { Conflict, ignoreNotFound, InvalidInput, nameSome } from "@butler/std";
import { Command } from "commander";
import { requireDefinition, usersOf } from "./find-definition.ts";

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
    .action(
      inSession<RemoveOptions>(terminal, async (session, options, name) => {
        const definition = await requireDefinition(session, name);
        await requireUnused(session, name);
        if (!options.yes) await confirm(terminal, name);
        await remove(session, definition);
        terminal.say(`${name} was removed from the catalog.`);
      }),
    );
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
