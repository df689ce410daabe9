import { isatty } from "node:tty";
import { type Clock, systemClock } from "@butler/std";
import { exitCodes, Interrupted } from "./cli-errors.ts";
import { type Loudness, loudnessOf } from "./loudness.ts";
import { colourPaint, type Paint, plainPaint, wantsColour } from "./style.ts";

/** What a command has around it: data goes to `print`, talk goes to `say`. */
export interface Terminal {
  /** Writes data to standard output, and ends the line. */
  readonly print: (text: string) => void;
  /** Writes a line for people to standard error, unless they want to hear of errors alone. */
  readonly say: (text: string) => void;
  /** Writes to standard error as it is, whatever the person wants to hear; for progress and errors only. */
  readonly write: (text: string) => void;
  /** Whether somebody is there to answer a question. */
  readonly isInteractive: boolean;
  /** Whether what is said can be overwritten: standard error is a terminal. */
  readonly isAnimated: boolean;
  /** Characters in a line of the terminal. */
  readonly width: number;
  /** Colours for data. */
  readonly paint: Paint;
  /** Colours for talk. */
  readonly sayPaint: Paint;
  /** Aborts, with an Interrupted, when the person wants the command to stop. */
  readonly signal: AbortSignal;
  /** Asks a question and gives the answer. */
  readonly ask: (question: string) => Promise<string>;
  /** Everything on standard input. */
  readonly readInput: () => Promise<string>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** How much the person wants to hear; the usual when absent. */
  readonly loudness?: Loudness;
}

/** The terminal, files or pipes that this process was started with, for a command line. */
export function processTerminal(argv: readonly string[] = []): Terminal {
  const { stdout, env: environment } = process;
  const stopping = new AbortController();
  // A second one ends the program at once.
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => stopping.abort(new Interrupted(undefined, { details: { signal } })));
  }
  // Whoever reads the output may have seen enough, as `head` does; that is no failure.
  stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : exitCodes.failure));
  const loudness = loudnessOf(argv);
  const isQuiet = loudness === "quiet";
  // Standard input and error are opened when they are used, which for most commands is never.
  const areTerminals = { input: isatty(0), output: isatty(1), error: isatty(2) };
  const paintOf = (isTerminal: boolean): Paint => (wantsColour(isTerminal, environment) ? colourPaint : plainPaint);
  return {
    print: (text) => void stdout.write(`${text}\n`),
    say: (text) => void (isQuiet || process.stderr.write(`${text}\n`)),
    write: (text) => void process.stderr.write(text),
    isInteractive: areTerminals.input && areTerminals.error,
    isAnimated: !isQuiet && areTerminals.error && environment["TERM"] !== "dumb",
    get width() {
      return (areTerminals.error ? process.stderr.columns : undefined) ?? 80;
    },
    paint: paintOf(areTerminals.output),
    sayPaint: paintOf(areTerminals.error),
    signal: stopping.signal,
    ask: (question) => askOnTerminal(question, stopping),
    readInput: async () => {
      const { stdin } = process;
      stdin.setEncoding("utf8");
      let text = "";
      for await (const part of stdin) text += String(part);
      return text;
    },
    environment,
    clock: systemClock,
    loudness,
  };
}

async function askOnTerminal(question: string, stopping: AbortController): Promise<string> {
  const { createInterface } = await import("node:readline/promises");
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  // At a prompt the terminal hands Ctrl-C to the reader, not to the process.
  reader.once("SIGINT", () => stopping.abort(new Interrupted()));
  try {
    return await reader.question(question, { signal: stopping.signal });
  } catch (error) {
    throw stopping.signal.aborted ? (stopping.signal.reason as Error) : error;
  } finally {
    reader.close();
  }
}
