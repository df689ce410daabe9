import { describeError, isRecord, stableStringify, Unavailable } from "@butler/std";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  accessSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import type { ProcessExit } from "../control-plane/process-guard.ts";
import { identifyProcess, isCertainlyAlive } from "../process-identity.ts";
import { processPart, type ServiceSpec } from "./service-spec.ts";

/** A process of this machine that cannot be confused with another one, of this or another boot. */
export interface BootIdentity {
  readonly pid: number;
  /** In the kernel's clock ticks since the boot. */
  readonly startTime: string;
  readonly bootId: string;
}

/** The environment variable that identifies a service's process when there is no record of it. */
export const serviceMark = "BUTLER_SUPERVISED";

/** The mark of a service of one supervisor, which also identifies the spec of the process. */
export function markOf(directory: string, spec: ServiceSpec): string {
  return `${directory}:${spec.name}:${processDigest(spec)}`;
}

/** A short digest that differs for processes of different specs. */
export function processDigest(spec: ServiceSpec): string {
  return createHash("sha256")
    .update(stableStringify(processPart(spec)))
    .digest("hex")
    .slice(0, 16);
}

let bootId: string | undefined;

/** Identifies the current boot of the kernel. */
export function currentBootId(): string {
  bootId ??= readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  return bootId;
}

/** The identity of a process that exists; undefined when it has exited. */
export function identifyInBoot(pid: number): BootIdentity | undefined {
  const { startTime } = identifyProcess(pid);
  return startTime === undefined ? undefined : { pid, startTime, bootId: currentBootId() };
}

/** Whether exactly this process is running, and not a later one with the same PID. */
export function isRunning(identity: BootIdentity): boolean {
  // In the same boot it is the same host, even if its name has changed.
  return identity.bootId === currentBootId() && isCertainlyAlive({ ...identity, host: hostname() });
}

/** Parses a stored identity. */
export function parseIdentity(value: unknown): BootIdentity | undefined {
  if (!isRecord(value)) return undefined;
  const { pid, startTime, bootId: boot } = value;
  if (typeof pid !== "number" || typeof startTime !== "string" || typeof boot !== "string") return undefined;
  return { pid, startTime, bootId: boot };
}

/** How to start a process, and its callbacks. */
export interface ServiceStart {
  readonly mark: string;
  readonly onExit: (exit: ProcessExit) => void;
  readonly onProblem: (message: string) => void;
}

/**
 * Starts a service in its own session and process group, writing directly to its log file, so that it does not depend
 * on this process. Throws when it cannot be started.
 */
export function startProcess(spec: ServiceSpec, { mark, onExit, onProblem }: ServiceStart): BootIdentity {
  refuseUnrunnable(spec);
  mkdirSync(dirname(spec.logFile), { recursive: true });
  const log = openSync(spec.logFile, "a", 0o600);
  try {
    const child = spawn(spec.command, [...spec.args], {
      cwd: spec.workingDirectory,
      env: { ...spec.environment, [serviceMark]: mark },
      stdio: ["ignore", log, log],
      detached: true,
    });
    child.once("error", (error) => onProblem(describeError(error)));
    const identity = child.pid === undefined ? undefined : identifyInBoot(child.pid);
    if (identity === undefined) {
      throw new Unavailable("cannot create another process", {
        hint: "Check the limits on processes and open files.",
      });
    }
    child.once("exit", (code, signal) => onExit({ code, signal }));
    adjustOomScore(identity.pid, spec, onProblem);
    return identity;
  } finally {
    closeSync(log);
  }
}

function refuseUnrunnable({ command, workingDirectory }: ServiceSpec): void {
  if (statSync(workingDirectory, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new Unavailable(`the working directory ${workingDirectory} does not exist`);
  }
  if (statSync(command, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new Unavailable(`the command ${command} does not exist`);
  }
  try {
    accessSync(command, constants.X_OK);
  } catch (cause) {
    throw new Unavailable(`the command ${command} is not executable`, { cause });
  }
}

function adjustOomScore(pid: number, { oomScoreAdj }: ServiceSpec, onProblem: (message: string) => void): void {
  if (oomScoreAdj === undefined) return;
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, String(oomScoreAdj));
  } catch (error) {
    onProblem(`cannot set oom_score_adj to ${oomScoreAdj}: ${describeError(error)}`);
  }
}

/** Signals a process with all processes in its group; ignores a group that no longer exists. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** A process with a service's mark. */
export interface MarkedProcess {
  readonly identity: BootIdentity;
  readonly service: string;
  /** The digest of its spec. */
  readonly digest: string;
  readonly group: number;
  readonly session: number;
  readonly commandLine: readonly string[];
}

/** All processes of a supervisor's services, including children, as reported by the kernel. */
export function findMarkedProcesses(directory: string): MarkedProcess[] {
  const prefix = `${serviceMark}=${directory}:`;
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((entry) => {
      const variables = readProcess(entry, "environ").split("\0");
      const mark = variables.find((variable) => variable.startsWith(prefix))?.slice(prefix.length);
      const [, service, digest] = /^([^:]+):([^:]+)$/.exec(mark ?? "") ?? [];
      if (service === undefined || digest === undefined) return [];
      const identity = identifyInBoot(Number(entry));
      if (identity === undefined || !isRunning(identity)) return [];
      const stat = readProcess(entry, "stat");
      // proc_pid_stat(5): after the command in parentheses come state, parent, group, session.
      const [, , group, session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      const commandLine = readProcess(entry, "cmdline").split("\0").slice(0, -1);
      return [{ identity, service, digest, group: Number(group), session: Number(session), commandLine }];
    });
}

/** Empty for a process that has exited or belongs to another user. */
function readProcess(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
