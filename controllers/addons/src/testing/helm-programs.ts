import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** The helm programs that a process has started. */
export async function helmsBelow(parent: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)("ps", ["-o", "pid=,comm=", "--ppid", String(parent)]);
  const lines = stdout.split("\n").map((line) => line.trim().split(/\s+/));
  return lines.flatMap(([pid, name]) => (name === "helm" ? [Number(pid)] : []));
}
