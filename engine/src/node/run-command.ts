import { execFile } from "node:child_process";
import { basename } from "node:path";
import { promisify } from "node:util";
import { Unavailable } from "@butler/std";
import type { Command } from "./network-commands.ts";

const execute = promisify(execFile);

/** Root's shell may not have the sbin directories on its PATH. */
function searchPath(): string {
  return [process.env["PATH"], "/usr/local/sbin", "/usr/sbin", "/sbin", "/usr/bin", "/bin"].filter(Boolean).join(":");
}

/** Runs a program and returns its output; throws with its error output. */
export async function runCommand([program, ...args]: Command): Promise<string> {
  try {
    const { stdout } = await execute(program, args, { env: { ...process.env, PATH: searchPath() } });
    return stdout;
  } catch (error) {
    const { stderr = "", code } = error as { stderr?: string; code?: string | number };
    const complaint = withoutWarnings(stderr) || `failed with ${String(code)}`;
    throw new Unavailable(`${[basename(program), ...args].join(" ")}: ${complaint}`);
  }
}

/** containerd's client prints warnings before the actual error. */
function withoutWarnings(complaint: string): string {
  return complaint
    .split("\n")
    .filter((line) => !line.includes("level=warning"))
    .join("\n")
    .trim();
}
