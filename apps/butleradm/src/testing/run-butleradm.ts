import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { programFile, type Run, type RunOptions, startCommandLine } from "@butler/cli-kit/testing";

/** The file of the program. */
export const main = programFile("butleradm", fileURLToPath(new URL("../main.ts", import.meta.url)));

/** Runs a command line to completion; words must not contain spaces. */
export function runButleradm(line: string, options: RunOptions): Promise<Run> {
  return startCommandLine(main, line.split(" "), { directory: tmpdir(), ...options }).ended;
}
