import { Bug } from "@butler/std";
import type { Command } from "commander";

/**
 * A command whose code is loaded when it is called, so that a command does not load the code of others. Its names are
 * repeated here, so that they are known before it is loaded.
 */
export interface LazyCommand {
  /** The name, followed by its aliases. */
  readonly names: readonly [string, ...string[]];
  /** Builds the command from the words after its name; all subcommands when undefined. */
  readonly load: (words: readonly string[] | undefined) => Promise<Command>;
  readonly isHidden?: boolean;
}

/**
 * Adds the subcommand that the words name. Adds all of them when the words name none, because help and suggestions need
 * them, and without words, for callers that need the whole tree.
 */
export async function addLazily(
  parent: Command,
  commands: readonly LazyCommand[],
  words: readonly string[] | undefined,
): Promise<Command> {
  const called = words === undefined ? undefined : calledCommand(parent, words);
  const chosen = commands.find(({ names }) => called !== undefined && names.includes(called.name));
  for (const command of chosen === undefined ? commands : [chosen]) {
    const loaded = await command.load(chosen === undefined ? undefined : called?.rest);
    requireNames(loaded, command);
    parent.addCommand(loaded, { hidden: command.isHidden ?? false });
  }
  return parent;
}

interface Called {
  readonly name: string;
  readonly rest: readonly string[];
}

/** The first word that is neither an option nor the value of one; undefined for `help`. */
function calledCommand({ options }: Command, words: readonly string[]): Called | undefined {
  const at = words.findIndex((word, place) => {
    const before = words[place - 1];
    const isValue = options.some(
      (option) => option.required && before !== undefined && [option.long, option.short].includes(before),
    );
    return !word.startsWith("-") && !isValue;
  });
  const name = words[at];
  return name === undefined || name === "help" ? undefined : { name, rest: words.slice(at + 1) };
}

function requireNames(command: Command, { names }: LazyCommand): void {
  const own = [command.name(), ...command.aliases()];
  if (own.join(" ") === names.join(" ")) return;
  throw new Bug(`the command ${own.join(", ")} is registered as ${names.join(", ")}`);
}
