import type { Command } from "commander";

const examplesOf = new WeakMap<Command, readonly string[]>();

/** Adds examples, one command line each, to the help of a command. */
export function withExamples(command: Command, examples: readonly string[]): Command {
  examplesOf.set(command, examples);
  return command.addHelpText("after", `\nExamples:\n${examples.map((example) => `  ${example}`).join("\n")}`);
}

/** The examples of a command, for its page in the reference. */
export function readExamples(command: Command): readonly string[] {
  return examplesOf.get(command) ?? [];
}
