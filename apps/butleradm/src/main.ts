// `butleradm`: the command line for operators.
import { keepCompiledProgram } from "@butler/cli-kit/compile-cache";
import { ButlerError, describeError } from "@butler/std";
import { constants } from "node:os";

keepCompiledProgram();

/** The message with its lines as they are, what it came from, and what to do next. */
function explain(error: unknown): string {
  if (!(error instanceof ButlerError)) return describeError(error);
  const cause = error.cause === undefined ? "" : `: ${describeError(error.cause)}`;
  return [`${error.message}${cause}`, ...(error.hint === undefined ? [] : [error.hint])].join("\n");
}

const [group, ...rest] = process.argv.slice(2);
const stopping = new AbortController();
let endingSignal: "SIGINT" | "SIGTERM" | undefined;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  // A second one ends the program at once.
  process.once(signal, () => {
    endingSignal = signal;
    stopping.abort(new Error("interrupted"));
  });
}

try {
  if (group !== "local") {
    const { processTerminal, runCli } = await import("@butler/cli-kit");
    const { buildProgram } = await import("./program.ts");
    const terminal = processTerminal();
    process.exitCode = await runCli(buildProgram(terminal), process.argv.slice(2), terminal);
  } else {
    const { runLocal } = await import("./local.ts");
    process.exitCode = await runLocal(rest, {
      print: (text) => process.stdout.write(`${text}\n`),
      say: (text) => process.stderr.write(`${text}\n`),
      signal: stopping.signal,
    });
  }
} catch (error) {
  process.stderr.write(`butleradm: ${endingSignal === undefined ? explain(error) : "interrupted"}\n`);
  process.exitCode = endingSignal === undefined ? 1 : 128 + constants.signals[endingSignal];
}
