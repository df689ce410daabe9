import { createInterface } from "node:readline/promises";
import { type Clock, systemClock } from "@butler/std";
import { exitCodes, Interrupted } from "./cli-errors.ts";
import { colourPaint, type Paint, plainPaint, wantsColour } from "./style.ts";

/** What a command has around it: data goes to `print`, talk goes to `say`. */
export interface Terminal {
  /** Writes data to standard output, and ends the line. */
  readonly print: (text: string) => void;
  /** Writes a line for people to standard error. */
  readonly say: (text: string) => void;
  /** Writes to standard error as it is; for progress only. */
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
}

/** The terminal, files or pipes that this process was started with. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env: environment } = process;
  const stopping = new AbortController();
  // A second one ends the program at once.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopping.abort(new Interrupted()));
  // Whoever reads the output may have seen enough, as `head` does; that is no failure.
  stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : exitCodes.failure));
  const paintOf = (isTerminal: boolean | undefined): Paint =>
    wantsColour(isTerminal === true, environment) ? colourPaint : plainPaint;
  return {
    print: (text) => void stdout.write(`${text}\n`),
    say: (text) => void stderr.write(`${text}\n`),
    write: (text) => void stderr.write(text),
    isInteractive: stdin.isTTY && stderr.isTTY,
    isAnimated: stderr.isTTY && environment["TERM"] !== "dumb",
    width: stderr.columns ?? 80,
    paint: paintOf(stdout.isTTY),
    sayPaint: paintOf(stderr.isTTY),
    signal: stopping.signal,
    ask: async (question) => {
      const reader = createInterface({ input: stdin, output: stderr });
      // At a prompt the terminal hands Ctrl-C to the reader, not to the process.
      reader.once("SIGINT", () => stopping.abort(new Interrupted()));
      try {
        return await reader.question(question, { signal: stopping.signal });
      } catch (error) {
        throw stopping.signal.aborted ? (stopping.signal.reason as Error) : error;
      } finally {
        reader.close();
      }
    },
    readInput: async () => {
      stdin.setEncoding("utf8");
      let text = "";
      for await (const part of stdin) text += String(part);
      return text;
    },
    environment,
    clock: systemClock,
  };
}
