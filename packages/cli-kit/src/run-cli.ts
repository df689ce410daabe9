import { type Command, CommanderError } from "commander";
import { exitCodeOf, exitCodes, explainError, Interrupted } from "./cli-errors.ts";
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
    const [first = "", ...rest] = explainError(told);
    terminal.say(`${program.name()}: ${terminal.sayPaint("bad", first)}`);
    for (const line of rest) terminal.say(line);
    return exitCodeOf(told);
  }
}

function prepare(command: Command, name: string, terminal: Terminal): void {
  command
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) => terminal.print(text.trimEnd()),
      writeErr: (text) => terminal.say(text.trimEnd()),
      outputError: (text, write) => write(`${name}: ${text.replace(/^error: /, "")}`),
    })
    .showHelpAfterError(`Run "${pathOf(command)} --help" to see what it takes.`);
}

/** Help that was asked for, or that a group of commands shows when none of them is named. */
function isHelp({ exitCode, code }: CommanderError): boolean {
  return exitCode === 0 || code === "commander.help";
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

function* everyCommand(command: Command): Generator<Command> {
  yield command;
  for (const child of command.commands) yield* everyCommand(child);
}
