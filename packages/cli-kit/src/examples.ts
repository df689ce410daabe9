import type { Command } from "commander";

/** Adds examples, one command line each, to the help of a command. */
export function withExamples(command: Command, examples: readonly string[]): Command {
  return command.addHelpText("after", `\nExamples:\n${examples.map((example) => `  ${example}`).join("\n")}`);
}
