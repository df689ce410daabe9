import { execFile } from "node:child_process";
import { basename } from "node:path";
import { promisify } from "node:util";
import { Unavailable } from "@butler/std";
import type { Command } from "./network-commands.ts";

const execute = promisify(execFile);

/** Root's shell may not look where the programs are that only root uses. */
function searchPath(): string {
  return [process.env["PATH"], "/usr/local/sbin", "/usr/sbin", "/sbin", "/usr/bin", "/bin"].filter(Boolean).join(":");
}

/** Runs a program and gives what it printed; fails with what it complained about. */
export async function runCommand([program, ...args]: Command): Promise<string> {
  try {
    const { stdout } = await execute(program, args, { env: { ...process.env, PATH: searchPath() } });
    return stdout;
  } catch (error) {
    const { stderr = "", code } = error as { stderr?: string; code?: string | number };
    const complaint = withoutWarnings(stderr) || `ended with ${String(code)}`;
    throw new Unavailable(`${[basename(program), ...args].join(" ")}: ${complaint}`);
  }
}

/** containerd's client warns of this and that before it says what went wrong. */
function withoutWarnings(complaint: string): string {
  return complaint
    .split("\n")
    .filter((line) => !line.includes("level=warning"))
    .join("\n")
    .trim();
}
