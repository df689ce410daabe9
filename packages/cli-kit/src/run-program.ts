import { Command } from "commander";
import { completionCommand } from "./completion/completion-command.ts";
import type { NameSources } from "./completion/run-completion.ts";
import { completeWord } from "./completion/scripts.ts";
import { addLazily, type LazyCommand } from "./lazy-commands.ts";
import { withGlobalOptions } from "./loudness.ts";
import { runCli } from "./run-cli.ts";
import { processTerminal, type Terminal } from "./terminal.ts";
import { versionCommand, type VersionSource } from "./version-command.ts";

/** A command line program. */
export interface Program {
  /** Builds the commands that the words name; all commands without words. */
  readonly build: (terminal: Terminal, words?: readonly string[]) => Promise<Command>;
  /** Sources of names for shell completion. */
  readonly nameSources: (terminal: Terminal) => Promise<NameSources>;
}

/** What distinguishes a program from others. */
export interface ProgramParts extends Pick<Program, "nameSources"> {
  readonly name: string;
  readonly description: string;
  /** The commands besides `version` and `completion`. */
  readonly commands: (terminal: Terminal) => readonly LazyCommand[];
  /** Queries the server for its versions, with the options of the command line. */
  readonly readServer: (
    terminal: Terminal,
    ...given: Parameters<VersionSource["readServer"]>
  ) => ReturnType<VersionSource["readServer"]>;
}

/** A program with the global options, `version` and `completion`. */
export function defineProgram({ name, description, commands, readServer, nameSources }: ProgramParts): Program {
  const common = (terminal: Terminal): readonly LazyCommand[] => {
    const source: VersionSource = { program: name, readServer: (options) => readServer(terminal, options) };
    return [
      { names: ["version"], load: () => Promise.resolve(versionCommand(terminal, source)) },
      { names: ["completion"], load: () => Promise.resolve(completionCommand(terminal, name)) },
    ];
  };
  return {
    build: (terminal, words) => {
      const program = withGlobalOptions(new Command(name).description(description));
      return addLazily(program, [...commands(terminal), ...common(terminal)], words);
    },
    nameSources,
  };
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
