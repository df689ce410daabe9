import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { Unavailable } from "@butler/std";
import type { Command } from "./network-commands.ts";

const execute = promisify(execFile);

/** Runs a program and gives what it printed; fails with what it complained about. */
export async function runCommand([program, ...args]: Command): Promise<string> {
  try {
    const { stdout } = await execute(program, args);
    return stdout;
  } catch (error) {
    const { stderr = "", code } = error as { stderr?: string; code?: string | number };
    const complaint = stderr.trim() || `ended with ${String(code)}`;
    throw new Unavailable(`${[program, ...args].join(" ")}: ${complaint}`, { cause: error });
  }
}
