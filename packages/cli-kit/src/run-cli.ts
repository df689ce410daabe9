import { type Command, CommanderError } from "commander";
import { exitCodeOf, exitCodes, explainError, Interrupted, QuietFailure } from "./cli-errors.ts";
import { everyCommand, pathOf } from "./command-tree.ts";
import type { Terminal } from "./terminal.ts";

/** Runs a command line and returns the exit code. Never throws; errors have been printed. */
export async function runCli(program: Command, argv: readonly string[], terminal: Terminal): Promise<number> {
  for (const command of everyCommand(program)) prepare(command, program.name(), terminal);
  try {
    await program.parseAsync([...argv], { from: "user" });
    return exitCodes.success;
  } catch (error) {
    if (error instanceof CommanderError) return isHelp(error) ? exitCodes.success : exitCodes.usage;
    // Errors that follow an interrupt are irrelevant.
    const { signal } = terminal;
    const told = signal.aborted && !(error instanceof Interrupted) ? (signal.reason as unknown) : error;
    if (!(told instanceof QuietFailure)) complain(program.name(), told, terminal);
    return exitCodeOf(told);
  }
}

/** Errors are printed with `--quiet`, too. */
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
    .showHelpAfterError(`Run "${pathOf(command)} --help" for usage.`);
}

/** Help that was requested, or that a command group prints without a subcommand. */
function isHelp({ exitCode, code }: CommanderError): boolean {
  return exitCode === 0 || code === "commander.help";
}
