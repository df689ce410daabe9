import { readFileSync } from "node:fs";
import { hostname } from "node:os";

/** A process that can be told apart from a later one with the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** The kernel's start time of the process; absent where the kernel does not tell. */
  readonly startTime?: string | undefined;
}

/** The identity of a running process, by default of this one. */
export function identifyProcess(pid: number = process.pid): ProcessIdentity {
  return { pid, host: hostname(), startTime: readStat(pid)?.startTime };
}

/** Whether the process still runs; undefined when it belongs to another host and cannot be asked. */
export function isProcessAlive(identity: ProcessIdentity): boolean | undefined {
  if (identity.host !== hostname()) return undefined;
  const stat = readStat(identity.pid);
  if (stat === undefined) return acceptsSignals(identity.pid);
  if (stat.isDead) return false;
  return identity.startTime === undefined || identity.startTime === stat.startTime;
}

/** Whether this very process is known for certain to run, so that a signal cannot hit a stranger. */
export function isCertainlyAlive(identity: ProcessIdentity): boolean {
  return identity.startTime !== undefined && readStat(identity.pid) !== undefined && isProcessAlive(identity) === true;
}

function acceptsSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** proc_pid_stat(5): the command stands in brackets and may hold anything, so fields count from the last bracket. */
function readStat(pid: number): { startTime: string | undefined; isDead: boolean } | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return undefined;
  }
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return { startTime: fields[19], isDead: fields[0] === "Z" || fields[0] === "X" };
}
