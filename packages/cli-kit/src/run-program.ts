import type { Command } from "commander";
import type { NameSources } from "./completion/run-completion.ts";
import { completeWord } from "./completion/scripts.ts";
import { runCli } from "./run-cli.ts";
import { processTerminal, type Terminal } from "./terminal.ts";

/** A command line program. */
export interface Program {
  /** Builds the commands that the words name; all commands without words. */
  readonly build: (terminal: Terminal, words?: readonly string[]) => Promise<Command>;
  /** Sources of names for shell completion. */
  readonly nameSources: (terminal: Terminal) => Promise<NameSources>;
}

/** Runs a program with its arguments, and returns the exit code. */
export async function runProgram({ build, nameSources }: Program, argv: readonly string[]): Promise<number> {
  const terminal = processTerminal(argv);
  const [first, ...words] = argv;
  if (first !== completeWord) return runCli(await build(terminal, argv), argv, terminal);
  const { runCompletion } = await import("./completion/run-completion.ts");
  const program = await build(terminal, words.slice(0, -1));
  await runCompletion({ program, words, sources: await nameSources(terminal) }, terminal);
  // Do not wait for pending name lookups.
  process.exit(0);
}
