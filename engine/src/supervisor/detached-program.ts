import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import type { StatePaths } from "./state-directory.ts";

/** Starts a program of this directory for a state directory: in its own session, writing to the supervisor's log. */
export function startDetached(
  { directory, log }: StatePaths,
  program: "daemon.ts" | "guardian.ts",
  args: readonly string[] = [],
): ChildProcess {
  const output = openSync(log, "a", 0o600);
  try {
    const child = spawn(process.execPath, [join(import.meta.dirname, program), "--state", directory, ...args], {
      cwd: "/",
      env: { PATH: process.env["PATH"] },
      stdio: ["ignore", output, output],
      detached: true,
    });
    child.unref();
    // Appears as exited without a code.
    child.on("error", () => undefined);
    return child;
  } finally {
    closeSync(output);
  }
}

/** Whether a program has exited, or was never started. */
export function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}
