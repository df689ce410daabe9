import type { Command } from "commander";

/** A command and all below it, each after the one that it belongs to. */
export function* everyCommand(command: Command): Generator<Command> {
  yield command;
  for (const child of command.commands) yield* everyCommand(child);
}

/** The words that call a command, beginning with the program. */
export function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

/** The commands of a command that people are told of, in the order of its help. */
export function shownCommands(command: Command): readonly Command[] {
  const shown = command.createHelp().visibleCommands(command);
  return shown.filter((child) => child.name() !== "help");
}
