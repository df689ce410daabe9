import { readFileSync } from "node:fs";

/**
 * Memory of a process that is in use now; 0 where it cannot be known, or the process has ended. Read at once, because a
 * process that takes memory does not wait.
 */
export function residentMiB(pid: number | undefined): number {
  if (pid === undefined || process.platform !== "linux") return 0;
  try {
    const [, kibibytes = "0"] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kibibytes) / 1024;
  } catch {
    return 0;
  }
}
