import { readFile } from "node:fs/promises";

/** Identifies a process by its start time as well, because PIDs are reused. */
export interface ProcessIdentity {
  readonly pid: number;
  /** In system ticks; 0 where not available. */
  readonly born: number;
}

/** Reads the start time of a process; undefined when it does not exist. */
export async function identifyProcess(pid: number): Promise<ProcessIdentity | undefined> {
  try {
    return { pid, born: bornAt(await readFile(`/proc/${pid}/stat`, "utf8")) };
  } catch {
    return isThere(pid) ? { pid, born: 0 } : undefined;
  }
}

/** Whether a process is still running; a zombie is not. */
export async function isAlive({ pid, born }: ProcessIdentity): Promise<boolean> {
  return (await identifyProcess(pid))?.born === born;
}

/** The 22nd field; the second, a name in parentheses, may have spaces and parentheses of its own. */
function bornAt(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (fields[0] === "Z" || fields[0] === "X") return -1;
  return Number(fields[19]);
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
