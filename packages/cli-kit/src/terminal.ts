import { isatty } from "node:tty";
import { type Clock, systemClock } from "@butler/std";
import { exitCodes, Interrupted } from "./cli-errors.ts";
import { type Loudness, loudnessOf } from "./loudness.ts";
import { colourPaint, type Paint, plainPaint, wantsColour } from "./style.ts";

/** The environment of a command: data goes to `print`, messages go to `say`. */
export interface Terminal {
  /** Writes a line of data to standard output. */
  readonly print: (text: string) => void;
  /** Writes a message to standard error, unless `--quiet` is set. */
  readonly say: (text: string) => void;
  /** Writes to standard error unchanged, regardless of verbosity; for progress and errors only. */
  readonly write: (text: string) => void;
  /** Whether a user can answer prompts. */
  readonly isInteractive: boolean;
  /** Whether messages can be overwritten: standard error is a terminal. */
  readonly isAnimated: boolean;
  /** Width of the terminal in characters. */
  readonly width: number;
  /** Colors for data. */
  readonly paint: Paint;
  /** Colors for messages. */
  readonly sayPaint: Paint;
  /** Aborts with an Interrupted when the user stops the command. */
  readonly signal: AbortSignal;
  /** Prompts for an answer. */
  readonly ask: (question: string) => Promise<string>;
  /** Reads all of standard input. */
  readonly readInput: () => Promise<string>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Verbosity; the usual when absent. */
  readonly loudness?: Loudness;
}

/** The standard streams of this process as a Terminal. */
export function processTerminal(argv: readonly string[] = []): Terminal {
  const { stdout, env: environment } = process;
  const stopping = new AbortController();
  // A second signal ends the program immediately.
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => stopping.abort(new Interrupted(undefined, { details: { signal } })));
  }
  // The reader may close the pipe early, as `head` does; that is not a failure.
  stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : exitCodes.failure));
  const loudness = loudnessOf(argv);
  const isQuiet = loudness === "quiet";
  // Standard input and error are opened on first use, which for most commands is never.
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
  // At a prompt, readline receives Ctrl-C instead of the process.
  reader.once("SIGINT", () => stopping.abort(new Interrupted()));
  try {
    return await reader.question(question, { signal: stopping.signal });
  } catch (error) {
    throw stopping.signal.aborted ? (stopping.signal.reason as Error) : error;
  } finally {
    reader.close();
  }
}
