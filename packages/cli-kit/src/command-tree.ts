import type { Command } from "commander";

/** A command and all of its subcommands, parents first. */
export function* everyCommand(command: Command): Generator<Command> {
  yield command;
  for (const child of command.commands) yield* everyCommand(child);
}

/** The full path of a command, starting with the program name. */
export function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

/** The visible subcommands of a command, in the order of its help. */
export function shownCommands(command: Command): readonly Command[] {
  const shown = command.createHelp().visibleCommands(command);
  return shown.filter((child) => child.name() !== "help");
}
