import { Unavailable } from "@butler/std";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Tool } from "./lock-file.ts";

const run = promisify(execFile);

/** Runs a program for its version; throws when it does not run or is not the version that is pinned. */
export async function checkToolVersion(tool: Tool, file: string): Promise<void> {
  let printed: string;
  try {
    printed = (await run(file, [...tool.versionArguments], { timeout: 20_000, env: {} })).stdout;
  } catch (error) {
    throw new Unavailable(`${tool.name} does not run on this machine`, { cause: error });
  }
  if (printed.includes(tool.version.replace(/^v/, ""))) return;
  throw new Unavailable(`${tool.name} should be ${tool.version} and says "${printed.trim().split("\n")[0] ?? ""}"`);
}
