/** As much of a command as is needed to find those below it. */
export interface CommandTree {
  readonly name: () => string;
  readonly commands: readonly CommandTree[];
}

/** Every command that does something itself, by its words behind the program's name. */
export function leafCommands(program: CommandTree): string[] {
  return program.commands.flatMap((command) => {
    const below = leafCommands(command);
    return below.length === 0 ? [command.name()] : below.map((words) => `${command.name()} ${words}`);
  });
}

/** The commands that none of the texts has at the beginning of a piece of text, or as a list of words. */
export function unnamedIn(texts: readonly string[], commands: readonly string[]): string[] {
  const plain = texts.map((text) => text.replaceAll(/["'],\s*["']/g, " "));
  return commands.filter((command) => {
    const pattern = new RegExp(`["'\`]${command.replaceAll(/[-.]/g, String.raw`\$&`)}(?=[ "'\`])`);
    return !plain.some((text) => pattern.test(text));
  });
}
