import { readFileSync } from "node:fs";
import { hostname } from "node:os";

/** A process that can be distinguished from a later one with the same PID. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** The kernel's start time of the process; undefined if the kernel does not report it. */
  readonly startTime?: string | undefined;
}

/** The identity of a running process, by default of this one. */
export function identifyProcess(pid: number = process.pid): ProcessIdentity {
  return { pid, host: hostname(), startTime: readStat(pid)?.startTime };
}

/** Whether the process is still running; undefined when it belongs to another host and cannot be checked. */
export function isProcessAlive(identity: ProcessIdentity): boolean | undefined {
  if (identity.host !== hostname()) return undefined;
  const stat = readStat(identity.pid);
  if (stat === undefined) return acceptsSignals(identity.pid);
  if (stat.isDead) return false;
  return identity.startTime === undefined || identity.startTime === stat.startTime;
}

/** Whether exactly this process is known to be running, so that a signal cannot reach another process. */
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

/** proc_pid_stat(5): the command is in parentheses and may contain any character, so fields count from the last one. */
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
