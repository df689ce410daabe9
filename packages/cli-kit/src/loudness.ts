import type { Command } from "commander";

/** How much a command talks: errors alone, what people want to know, or every request as well. */
export type Loudness = "quiet" | "usual" | "verbose";

/**
 * How much a command line asks to be told. It is read from the words themselves, because the terminal is there before
 * anything has parsed them; `--` ends what is meant for this program.
 */
export function loudnessOf(argv: readonly string[]): Loudness {
  const end = argv.indexOf("--");
  const words = new Set(end === -1 ? argv : argv.slice(0, end));
  if (words.has("--verbose")) return "verbose";
  return words.has("-q") || words.has("--quiet") ? "quiet" : "usual";
}

/** Adds the options that every command has. */
export function withGlobalOptions(program: Command): Command {
  return program
    .option("--kubeconfig <file>", "kubeconfig of the management cluster; KUBECONFIG or ~/.kube/config when absent")
    .option("--context <context>", "context of the kubeconfig; its current one when absent")
    .option("-q, --quiet", "say nothing but errors; data is printed all the same")
    .option("--verbose", "tell each request: method, path, status and time");
}
