import type { Command } from "commander";

/** Verbosity of a command: errors only, the usual messages, or every request as well. */
export type Loudness = "quiet" | "usual" | "verbose";

/**
 * The verbosity that a command line asks for. It is read from the raw words, because the terminal is created before
 * they are parsed; `--` ends the options of this program.
 */
export function loudnessOf(argv: readonly string[]): Loudness {
  const end = argv.indexOf("--");
  const words = new Set(end === -1 ? argv : argv.slice(0, end));
  if (words.has("--verbose")) return "verbose";
  return words.has("-q") || words.has("--quiet") ? "quiet" : "usual";
}

/** Adds the global options. */
export function withGlobalOptions(program: Command): Command {
  return program
    .option("--kubeconfig <file>", "path to the management cluster kubeconfig (default: KUBECONFIG or ~/.kube/config)")
    .option("--context <context>", "kubeconfig context to use (default: the current context)")
    .option("-q, --quiet", "print only errors and requested data")
    .option("--verbose", "log each request with method, path, status and duration");
}
