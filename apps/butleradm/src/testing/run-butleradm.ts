import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { type Run, type RunOptions, startCommandLine } from "@butler/cli-kit/testing";

/** The file of the program. */
export const main = fileURLToPath(new URL("../main.ts", import.meta.url));

/** Runs a command line to its end; words have no spaces in them. */
export function runButleradm(line: string, options: RunOptions): Promise<Run> {
  return startCommandLine(main, line.split(" "), { directory: tmpdir(), ...options }).ended;
}
