import { Unavailable } from "@butler/std";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expectedOutputOf, type Tool } from "./lock-file.ts";

const run = promisify(execFile);

/** Runs a program to print its version; throws when it does not run or has another version than pinned. */
export async function checkToolVersion(tool: Tool, file: string): Promise<void> {
  let printed: string;
  try {
    const { stdout, stderr } = await run(file, [...tool.versionArguments], { timeout: 20_000, env: {} });
    // CNI plugins and flag parsers print to standard error.
    printed = stdout + stderr;
  } catch (error) {
    throw new Unavailable(`${tool.name} does not run on this machine`, { cause: error });
  }
  const absent = expectedOutputOf(tool).find((text) => !printed.includes(text));
  if (absent === undefined) return;
  const demand = tool.version.endsWith(absent) ? `be ${tool.version}` : `print "${absent}"`;
  throw new Unavailable(`expected ${tool.name} to ${demand}, but it printed "${printed.trim().split("\n")[0] ?? ""}"`);
}
