import type { Command } from "commander";
import type { NameSources } from "./completion/run-completion.ts";
import { completeWord } from "./completion/scripts.ts";
import { runCli } from "./run-cli.ts";
import { processTerminal, type Terminal } from "./terminal.ts";

/** A whole program. */
export interface Program {
  /** Builds what the words call for; everything without words. */
  readonly build: (terminal: Terminal, words?: readonly string[]) => Promise<Command>;
  /** Where names come from while somebody types. */
  readonly nameSources: (terminal: Terminal) => Promise<NameSources>;
}

/** Runs a program with the words it was started with, and gives the code to end with. */
export async function runProgram({ build, nameSources }: Program, argv: readonly string[]): Promise<number> {
  const terminal = processTerminal(argv);
  const [first, ...words] = argv;
  if (first !== completeWord) return runCli(await build(terminal, argv), argv, terminal);
  const { runCompletion } = await import("./completion/run-completion.ts");
  const program = await build(terminal, words.slice(0, -1));
  await runCompletion({ program, words, sources: await nameSources(terminal) }, terminal);
  // Whoever is still being asked need not answer any more.
  process.exit(0);
}
