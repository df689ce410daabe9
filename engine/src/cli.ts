import { InvalidInput, Unavailable } from "@butler/std";
import { ensureTools, openToolCache } from "./ensure-tools.ts";
import { explainError } from "./explain-error.ts";
import { toolNames } from "./lock-file.ts";

/**
 * `ensure [--verify] [tool...]` installs the named tools, or all of them, and prints their directory; `where` only
 * prints the directory.
 */
async function main(words: readonly string[], signal: AbortSignal): Promise<void> {
  const [command, ...rest] = words;
  const options = rest.filter((word) => word.startsWith("-"));
  const names = rest.filter((word) => !word.startsWith("-"));
  const unknown = options.filter((option) => option !== "--verify");
  if (!["ensure", "where"].includes(command ?? "") || unknown.length > 0) {
    throw new InvalidInput("usage: ensure [--verify] [tool...] | where");
  }
  if (command === "ensure") {
    await ensureTools(names.length === 0 ? toolNames : names, { verify: options.includes("--verify"), signal });
  }
  process.stdout.write(`${(await openToolCache()).binDirectory}\n`);
}

const interrupted = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => interrupted.abort(new Unavailable(`interrupted by ${signal}`)));
}

try {
  await main(process.argv.slice(2), interrupted.signal);
} catch (error) {
  process.stderr.write(`engine: ${explainError(error)}\n`);
  process.exitCode = 1;
}
