/** The part of a command that is needed to find its subcommands. */
export interface CommandTree {
  readonly name: () => string;
  readonly commands: readonly CommandTree[];
}

/** Every command without subcommands, as its words after the program's name. */
export function leafCommands(program: CommandTree): string[] {
  return program.commands.flatMap((command) => {
    const below = leafCommands(command);
    return below.length === 0 ? [command.name()] : below.map((words) => `${command.name()} ${words}`);
  });
}

/** The commands that no text contains at the start of a string, or as a list of words. */
export function unnamedIn(texts: readonly string[], commands: readonly string[]): string[] {
  const plain = texts.map((text) => text.replaceAll(/["'],\s*["']/g, " "));
  return commands.filter((command) => {
    const pattern = new RegExp(`["'\`]${command.replaceAll(/[-.]/g, String.raw`\$&`)}(?=[ "'\`])`);
    return !plain.some((text) => pattern.test(text));
  });
}
