import { type Command, CommanderError } from "commander";
import { exitCodeOf, exitCodes, explainError, Interrupted, QuietFailure } from "./cli-errors.ts";
import { everyCommand, pathOf } from "./command-tree.ts";
import type { Terminal } from "./terminal.ts";

/** Runs a command line and gives the code to end with. Nothing is thrown, and whatever went wrong has been said. */
export async function runCli(program: Command, argv: readonly string[], terminal: Terminal): Promise<number> {
  for (const command of everyCommand(program)) prepare(command, program.name(), terminal);
  try {
    await program.parseAsync([...argv], { from: "user" });
    return exitCodes.success;
  } catch (error) {
    if (error instanceof CommanderError) return isHelp(error) ? exitCodes.success : exitCodes.usage;
    // Whatever an interrupted command stumbled over afterwards is of no interest.
    const { signal } = terminal;
    const told = signal.aborted && !(error instanceof Interrupted) ? (signal.reason as unknown) : error;
    if (!(told instanceof QuietFailure)) complain(program.name(), told, terminal);
    return exitCodeOf(told);
  }
}

/** Errors are told to whoever wants quiet, too. */
function complain(name: string, error: unknown, { write, sayPaint }: Terminal): void {
  const [first = "", ...rest] = explainError(error);
  write([`${name}: ${sayPaint("bad", first)}`, ...rest, ""].join("\n"));
}

function prepare(command: Command, name: string, terminal: Terminal): void {
  command
    .exitOverride()
    .showSuggestionAfterError()
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => terminal.print(text.trimEnd()),
      writeErr: (text) => terminal.write(`${text.trimEnd()}\n`),
      outputError: (text, write) => write(`${name}: ${text.replace(/^error: /, "")}`),
    })
    .showHelpAfterError(`Run "${pathOf(command)} --help" to see what it takes.`);
}

/** Help that was asked for, or that a group of commands shows when none of them is named. */
function isHelp({ exitCode, code }: CommanderError): boolean {
  return exitCode === 0 || code === "commander.help";
}
