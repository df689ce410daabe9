import { Bug } from "@butler/std";
import type { Command } from "commander";

/**
 * A command whose code is loaded when it is called: a short command should not wait for what others need. Its names stand
 * here a second time, so that they are known before.
 */
export interface LazyCommand {
  /** The name, and after it its aliases. */
  readonly names: readonly [string, ...string[]];
  /** Builds it; the words are those after its name, or undefined when everything is wanted. */
  readonly load: (words: readonly string[] | undefined) => Promise<Command>;
  readonly isHidden?: boolean;
}

/**
 * Adds to a command the one of its commands that the words name. All of them are added where the words name none, because
 * then help, or the nearest name, is what the person gets; and without words, for whoever wants the whole tree.
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

/** The first word that is neither an option nor the value of one; undefined when help of something is asked for. */
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
  throw new Bug(`the command ${own.join(", ")} is announced as ${names.join(", ")}`);
}
